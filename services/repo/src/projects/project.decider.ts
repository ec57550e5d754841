import { Rejection } from '@forgelog/contracts/errors.ts';
import type { ProjectStreamEvent } from '@forgelog/contracts/repo/projects/project.events.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';
import type { Visibility } from '@forgelog/service-kit/access.ts';
import { descriptionProblems, nameProblems, pathProblems } from './project-name.rules.ts';
import { type ProjectSettings, settingsOf } from './project-settings.rules.ts';
import { storageProblems } from './storages.ts';

interface Attributes {
  name: string;
  path: string;
  description: string | null;
  visibility: Visibility;
  defaultBranch: string | null;
}

export interface PresentProject extends Attributes {
  status: 'present';
  namespaceId: number;
  ownerId: number | null;
  creatorId: number;
  fullPath: string;
  storage: string;
  archived: boolean;
  settings: ProjectSettings;
}

/** `abandoned`: the creation broke off, and this id can never be created. */
export type ProjectState =
  | { status: 'absent' }
  | { status: 'abandoned' }
  | { status: 'deleted' }
  | PresentProject;

/** The highest visibility that the group allows; null in a personal namespace. */
type Ceiling = Visibility | null;

export type ProjectCommand = { projectId: number } & (
  | ({
      type: 'CreateProject';
      namespaceId: number;
      ownerId: number | null;
      creatorId: number;
      fullPath: string;
      storage: string;
      settings: ProjectSettings;
      groupVisibility: Ceiling;
      storages: readonly string[];
    } & Attributes)
  | {
      type: 'UpdateProject';
      changes: Partial<Attributes> & { settings?: ProjectSettings };
      groupVisibility: Ceiling;
      /** The requested storage, and all that exist. A repository never moves. */
      storage?: string | undefined;
      storages: readonly string[];
    }
  /**
   * The first push chooses the default branch; later ones change nothing. `missing` names a branch that does not exist.
   */
  | { type: 'ChooseDefaultBranch'; branch: string; missing: string | null }
  | { type: 'ArchiveProject' }
  | { type: 'UnarchiveProject' }
  | { type: 'DeleteProject' }
);

export const projectStream = (id: number) => `project-${id}`;

const OPENNESS: Readonly<Record<Visibility, number>> = { private: 0, internal: 10, public: 20 };

export const projectDecider: Decider<ProjectState, ProjectCommand, ProjectStreamEvent> = {
  initialState: { status: 'absent' },

  decide(command, state) {
    const { projectId } = command;
    if (command.type === 'CreateProject') {
      if (state.status !== 'absent') throw new Rejection('conflict', {});
      const { type: _, groupVisibility, storages, ...data } = command;
      const storage = storageProblems(data.storage, { all: storages });
      requireValid(data, groupVisibility, storage);
      return [{ type: 'ProjectCreated', data: { ...data, settings: nonDefault(data.settings) } }];
    }
    // Deleting twice is a no-op, because policies may run twice.
    if (command.type === 'DeleteProject' && state.status !== 'present') return [];
    if (state.status !== 'present') throw new Rejection('not_found', { what: 'Project' });
    switch (command.type) {
      case 'UpdateProject': {
        const changes = changed(state, command.changes);
        const storage = storageProblems(command.storage, { all: command.storages, now: state.storage });
        requireValid(changes, command.groupVisibility, storage);
        if (Object.keys(changes).length === 0) return [];
        return [{ type: 'ProjectUpdated', data: { projectId, changes } }];
      }
      case 'ChooseDefaultBranch':
        if (state.defaultBranch !== command.missing) return [];
        return [{ type: 'ProjectUpdated', data: { projectId, changes: { defaultBranch: command.branch } } }];
      case 'ArchiveProject':
        return state.archived ? [] : [{ type: 'ProjectArchived', data: { projectId } }];
      case 'UnarchiveProject':
        return state.archived ? [{ type: 'ProjectUnarchived', data: { projectId } }] : [];
      case 'DeleteProject': {
        const { namespaceId, fullPath, storage } = state;
        return [{ type: 'ProjectDeleted', data: { projectId, namespaceId, fullPath, storage } }];
      }
      default:
        return command satisfies never;
    }
  },

  evolve(state, event) {
    if (event.type === 'ProjectCreated') {
      const { projectId: _, ...data } = event.data;
      return { status: 'present', archived: false, ...data };
    }
    if (event.type === 'ProjectCreationAbandoned') return { status: 'abandoned' };
    if (event.type === 'NameForfeited') return state.status === 'absent' ? { status: 'abandoned' } : state;
    if (state.status !== 'present') return state;
    switch (event.type) {
      case 'ProjectUpdated': {
        const { settings, ...changes } = event.data.changes;
        const fullPath = changes.path
          ? state.fullPath.replace(/[^/]*$/, () => changes.path as string)
          : state.fullPath;
        return { ...state, ...changes, fullPath, settings: { ...state.settings, ...settings } };
      }
      case 'ProjectArchived':
        return { ...state, archived: true };
      case 'ProjectUnarchived':
        return { ...state, archived: false };
      case 'ProjectDeleted':
        return { status: 'deleted' };
      default:
        return event satisfies never;
    }
  },
};

type Changes = Extract<ProjectStreamEvent, { type: 'ProjectUpdated' }>['data']['changes'];

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

function nonDefault(settings: ProjectSettings): Changes['settings'] & object {
  const defaults = settingsOf({});
  return Object.fromEntries(
    Object.entries(settings).filter(([name, value]) => !same(value, defaults[name])),
  ) as Changes['settings'] & object;
}

function changed(
  state: PresentProject,
  wanted: Partial<Attributes> & { settings?: ProjectSettings },
): Changes {
  const { settings = {}, ...attributes } = wanted;
  const changes = Object.fromEntries(
    Object.entries(attributes).filter(
      ([name, value]) => value !== undefined && value !== state[name as keyof Attributes],
    ),
  ) as Changes;
  const before = settingsOf(state.settings);
  const other = Object.entries(settings).filter(([name, value]) => !same(value, before[name]));
  if (other.length > 0) changes.settings = Object.fromEntries(other) as Changes['settings'];
  return changes;
}

/** Reports all problems at once, by the API's field names. */
function requireValid(given: Partial<Attributes>, ceiling: Ceiling, storage: string[]): void {
  const fields: Record<string, string[]> = { repository_storage: storage };
  if (given.name !== undefined) fields.name = nameProblems(given.name);
  if (given.path !== undefined) fields.path = pathProblems(given.path);
  if (given.description !== undefined) fields.description = descriptionProblems(given.description);
  const { visibility } = given;
  if (visibility && ceiling && OPENNESS[visibility] > OPENNESS[ceiling])
    fields.visibility_level = [`${visibility} is not allowed since its group has ${ceiling} visibility.`];
  const wrong = Object.entries(fields).filter(([, problems]) => problems.length > 0);
  if (wrong.length > 0) throw new Rejection('validation_failed', { fields: Object.fromEntries(wrong) });
}
