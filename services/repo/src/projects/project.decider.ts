import { Rejection } from '@forgelog/contracts/errors.ts';
import type { EventOf } from '@forgelog/contracts/event.ts';
import {
  PROJECT_ARCHIVED,
  PROJECT_UNARCHIVED,
  type ProjectStreamEvent,
  type ProjectUpdated,
} from '@forgelog/contracts/repo/projects/project.events.ts';
import { changesFrom } from '@forgelog/eventing/changes.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';
import { READ_ONLY, type Visibility } from '@forgelog/service-kit/access.ts';
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

interface Forked {
  forkedFromProjectId: number | null;
  forkedAtRevision: number | null;
}

export interface PresentProject extends Attributes, Forked {
  status: 'present';
  namespaceId: number;
  ownerId: number | null;
  creatorId: number;
  fullPath: string;
  /** Where it was created. */
  storage: string;
  archived: boolean;
  /** When it will be deleted; null unless it is marked. */
  deletionDueAt: string | null;
  settings: ProjectSettings;
}

/** `abandoned`: the creation broke off, and this id can never be created. */
export type ProjectState =
  | { status: 'absent' }
  | { status: 'abandoned' }
  | { status: 'deleted' }
  | PresentProject;

/** The highest visibility that the group or the origin allows; null where there is none. */
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
    } & Attributes &
      Forked)
  | {
      type: 'UpdateProject';
      changes: Partial<Attributes> & { settings?: ProjectSettings };
      groupVisibility: Ceiling;
      /** That of the project that it is a fork of. */
      originVisibility: Ceiling;
      /** The requested storage, and all that exist. Its move is scheduled beside the update. */
      storage?: string | undefined;
      storages: readonly string[];
    }
  /**
   * The first push chooses the default branch; later ones change nothing. `missing` names a branch that does not exist.
   */
  | { type: 'ChooseDefaultBranch'; branch: string; missing: string | null }
  /** `over` is the origin that it has so far, null for none; a deleted one does not count. */
  | { type: 'LinkFork'; originId: number; over: number | null }
  | { type: 'UnlinkFork' }
  /** Another name of a topic without regard to case, or none. */
  | { type: 'ReplaceTopic'; from: string; to: string | null }
  /** For a group above it that became less open. */
  | { type: 'LowerVisibility'; ceiling: Visibility }
  /** For a group above it. */
  | { type: 'TurnSharedRunnersOff' }
  | {
      type: 'TransferProject';
      namespaceId: number;
      ownerId: number | null;
      /** Full path of the namespace. */
      namespacePath: string;
      groupVisibility: Ceiling;
    }
  | { type: 'ArchiveProject' }
  | { type: 'UnarchiveProject' }
  | { type: 'ScheduleProjectDeletion'; deletionDueAt: string }
  | { type: 'CancelProjectDeletion' }
  /** Deletes it if its time has come at `now`; null: whenever that is. */
  | { type: 'DeleteMarkedProject'; now: string | null }
  | { type: 'DeleteProject' }
);

const NOT_WHILE_MARKED: readonly ProjectCommand['type'][] = [
  'UpdateProject',
  'TransferProject',
  'ArchiveProject',
  'UnarchiveProject',
  'LinkFork',
];

export const projectStream = (id: number) => `project-${id}`;

export const OPENNESS: Readonly<Record<Visibility, number>> = { private: 0, internal: 10, public: 20 };

export const lowerOf = (visibility: Visibility, ceiling: Visibility): Visibility =>
  OPENNESS[visibility] > OPENNESS[ceiling] ? ceiling : visibility;

export const projectDecider: Decider<ProjectState, ProjectCommand, ProjectStreamEvent> = {
  initialState: { status: 'absent' },

  decide(command, state) {
    const { projectId } = command;
    if (command.type === 'CreateProject') {
      if (state.status !== 'absent') throw new Rejection('conflict', {});
      const { type: _, groupVisibility, storages, ...data } = command;
      const storage = storageProblems(data.storage, { all: storages });
      requireValid(data, { groupVisibility, storage });
      return [{ type: 'ProjectCreated', data: { ...data, settings: nonDefault(data.settings) } }];
    }
    // Deleting twice is a no-op, because policies may run twice, and topics end elsewhere.
    const isDeletion = command.type === 'DeleteProject' || command.type === 'DeleteMarkedProject';
    const isFollowing =
      isDeletion ||
      command.type === 'ReplaceTopic' ||
      command.type === 'LowerVisibility' ||
      command.type === 'TurnSharedRunnersOff';
    if (isFollowing && state.status !== 'present') return [];
    if (state.status !== 'present') throw new Rejection('not_found', { what: 'Project' });
    if (state.deletionDueAt !== null && NOT_WHILE_MARKED.includes(command.type))
      throw new Rejection('forbidden', { reason: READ_ONLY.deletion });
    switch (command.type) {
      case 'UpdateProject': {
        const change = changesFrom(withDefaults(state), command.changes);
        const storage = storageProblems(command.storage, { all: command.storages });
        requireValid(change?.changes ?? {}, { ...command, storage });
        return change === null
          ? []
          : [{ type: 'ProjectUpdated', data: { projectId, ...(change as Change) } }];
      }
      case 'ChooseDefaultBranch':
        if (state.defaultBranch !== command.missing) return [];
        return [
          {
            type: 'ProjectUpdated',
            data: {
              projectId,
              changes: { defaultBranch: command.branch },
              previous: { defaultBranch: state.defaultBranch },
            },
          },
        ];
      case 'LinkFork': {
        const { originId, over } = command;
        if (state.forkedFromProjectId !== over)
          throw new Rejection('conflict', { message: 'Project already forked' });
        return [forkRelation(projectId, originId, over)];
      }
      case 'UnlinkFork': {
        const { forkedFromProjectId: origin } = state;
        return origin === null ? [] : [forkRelation(projectId, null, origin)];
      }
      case 'ReplaceTopic': {
        const before = settingsOf(state.settings).topics as readonly string[];
        const topics = withTopicReplaced(before, command);
        const change = changesFrom({ settings: { topics: before } }, { settings: { topics } });
        return change === null
          ? []
          : [{ type: 'ProjectUpdated', data: { projectId, ...(change as Change) } }];
      }
      case 'LowerVisibility': {
        const { visibility } = state;
        const change = changesFrom({ visibility }, { visibility: lowerOf(visibility, command.ceiling) });
        return change === null ? [] : [{ type: 'ProjectUpdated', data: { projectId, ...change } }];
      }
      case 'TurnSharedRunnersOff': {
        const { shared_runners_enabled: now } = settingsOf(state.settings);
        const settings = { shared_runners_enabled: now };
        const change = changesFrom({ settings }, { settings: { shared_runners_enabled: false } });
        return change === null
          ? []
          : [{ type: 'ProjectUpdated', data: { projectId, ...(change as Change) } }];
      }
      case 'TransferProject': {
        const { namespaceId, ownerId, namespacePath, groupVisibility: ceiling } = command;
        const visibility = ceiling === null ? undefined : lowerOf(state.visibility, ceiling);
        const change = changesFrom(
          { namespaceId: state.namespaceId, ownerId: state.ownerId, visibility: state.visibility },
          { namespaceId, ownerId, visibility },
        );
        if (change === null) return [];
        const owners = { ownerId, previousOwnerId: state.ownerId };
        const fullPath = `${namespacePath}/${state.path}`;
        return [{ type: 'ProjectTransferred', data: { projectId, ...owners, fullPath, ...change } }];
      }
      case 'ArchiveProject':
        return state.archived ? [] : [{ type: 'ProjectArchived', data: { projectId, ...PROJECT_ARCHIVED } }];
      case 'UnarchiveProject':
        return state.archived
          ? [{ type: 'ProjectUnarchived', data: { projectId, ...PROJECT_UNARCHIVED } }]
          : [];
      case 'ScheduleProjectDeletion': {
        // The first mark counts: deleting again does not put it off.
        if (state.deletionDueAt !== null) return [];
        const change = {
          changes: { deletionDueAt: command.deletionDueAt },
          previous: { deletionDueAt: null },
        };
        return [{ type: 'ProjectDeletionScheduled', data: { projectId, ...change } }];
      }
      case 'CancelProjectDeletion': {
        const { deletionDueAt } = state;
        if (deletionDueAt === null)
          throw new Rejection('refused', { message: 'Project has not been marked for deletion' });
        const change = { changes: { deletionDueAt: null }, previous: { deletionDueAt } };
        return [{ type: 'ProjectDeletionCancelled', data: { projectId, ...change } }];
      }
      case 'DeleteMarkedProject': {
        const { now } = command;
        const { deletionDueAt } = state;
        if (now === null && deletionDueAt === null)
          throw new Rejection('refused', { message: 'Project must be marked for deletion first.' });
        if (deletionDueAt === null || (now !== null && deletionDueAt > now)) return [];
        return [deleted(projectId, state)];
      }
      case 'DeleteProject':
        return [deleted(projectId, state)];
      default:
        return command satisfies never;
    }
  },

  evolve(state, event) {
    if (event.type === 'ProjectCreated') {
      const { projectId: _, ...data } = event.data;
      return { status: 'present', archived: false, deletionDueAt: null, ...data };
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
      case 'ProjectTransferred':
        return { ...state, ...event.data.changes, fullPath: event.data.fullPath };
      case 'ProjectArchived':
        return { ...state, archived: true };
      case 'ProjectUnarchived':
        return { ...state, archived: false };
      case 'ProjectDeletionScheduled':
      case 'ProjectDeletionCancelled':
        return { ...state, deletionDueAt: event.data.changes.deletionDueAt ?? null };
      case 'ProjectDeleted':
        return { status: 'deleted' };
      default:
        return event satisfies never;
    }
  },
};

const deleted = (projectId: number, { namespaceId, fullPath, storage }: PresentProject) => ({
  type: 'ProjectDeleted' as const,
  data: { projectId, namespaceId, fullPath, storage },
});

function withTopicReplaced(topics: readonly string[], { from, to }: { from: string; to: string | null }) {
  const isMeant = (topic: string) => topic.toLowerCase() === from.toLowerCase();
  return [...new Set(topics.flatMap((topic) => (isMeant(topic) ? (to === null ? [] : [to]) : [topic])))];
}

const forkRelation = (projectId: number, originId: number | null, previous: number | null) => ({
  type: 'ProjectUpdated' as const,
  data: {
    projectId,
    changes: { forkedFromProjectId: originId },
    previous: { forkedFromProjectId: previous },
  },
});

type Change = Pick<EventOf<typeof ProjectUpdated>['data'], 'changes' | 'previous'>;

const withDefaults = ({ name, path, description, visibility, defaultBranch, settings }: PresentProject) => ({
  ...{ name, path, description, visibility, defaultBranch },
  settings: settingsOf(settings),
});

const nonDefault = (settings: ProjectSettings) =>
  changesFrom({ settings: settingsOf({}) }, { settings })?.changes.settings ?? {};

/** Reports all problems at once, by the API's field names. */
function requireValid(
  given: Partial<Attributes>,
  {
    groupVisibility: ceiling,
    originVisibility: origin = null,
    storage,
  }: { groupVisibility: Ceiling; originVisibility?: Ceiling; storage: string[] },
): void {
  const fields: Record<string, string[]> = { repository_storage: storage };
  if (given.name !== undefined) fields.name = nameProblems(given.name);
  if (given.path !== undefined) fields.path = pathProblems(given.path);
  if (given.description !== undefined) fields.description = descriptionProblems(given.description);
  const { visibility } = given;
  if (visibility && ceiling && OPENNESS[visibility] > OPENNESS[ceiling])
    fields.visibility_level = [`${visibility} is not allowed since its group has ${ceiling} visibility.`];
  else if (visibility && origin && OPENNESS[visibility] > OPENNESS[origin])
    fields.visibility_level = [
      `${visibility} is not allowed since the fork source project has lower visibility.`,
    ];
  const wrong = Object.entries(fields).filter(([, problems]) => problems.length > 0);
  if (wrong.length > 0) throw new Rejection('validation_failed', { fields: Object.fromEntries(wrong) });
}
