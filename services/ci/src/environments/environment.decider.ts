import {
  ENVIRONMENT_STOPPED,
  type EnvironmentEvent,
} from '@forgelog/contracts/ci/environments/environment.events.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { changesFrom } from '@forgelog/eventing/changes.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';
import { Map as PersistentMap } from 'immutable';
import { environmentSlug } from './environment-slug.ts';

interface Environment {
  name: string;
  slug: string;
  externalUrl: string | null;
  state: 'available' | 'stopped';
  deletionDueAt: string | null;
  autoStopAt: string | null;
  stopPipelineIid: number | null;
  stopJob: string | null;
}

type Deployed = Omit<Environment, 'name' | 'slug'>;

/** By environment id, for one project. */
export type EnvironmentsState = PersistentMap<number, Environment>;

type OnOne = { projectId: number; environmentId: number };
export type EnvironmentCommand =
  | ({ type: 'CreateEnvironment'; name: string; externalUrl: string | null } & OnOne)
  /** Undefined keeps the current value. */
  | ({ type: 'UpdateEnvironment'; name?: string; externalUrl?: string | null } & OnOne)
  | ({
      type: 'RecordDeployment';
      deploymentId: number;
      /** Null keeps the current one. */
      externalUrl: string | null;
      autoStopAt: string | null;
      stopPipelineIid: number | null;
      stopJob: string | null;
    } & OnOne)
  | ({ type: 'StopEnvironment' } & OnOne)
  /** Skips an environment that is not available, or not due. */
  | ({ type: 'StopDueEnvironment'; now: string } & OnOne)
  | ({ type: 'DeleteEnvironment' } & OnOne)
  /** Skips environments that are not stopped review apps, or are scheduled already. */
  | {
      type: 'ScheduleReviewAppDeletions';
      projectId: number;
      environmentIds: readonly number[];
      dueAt: string;
    }
  /** Skips an environment that is no longer there, or not due. */
  | ({ type: 'DeleteDueEnvironment'; now: string } & OnOne);

export const environmentsStream = (projectId: number) => `environments-${projectId}`;

/** Environments in this folder are review apps [L159]. */
export const REVIEW_FOLDER = 'review/';

export const environmentDecider: Decider<EnvironmentsState, EnvironmentCommand, EnvironmentEvent> = {
  initialState: PersistentMap(),

  decide(command, state) {
    const { projectId } = command;
    switch (command.type) {
      case 'CreateEnvironment': {
        const { environmentId, name } = command;
        const externalUrl = command.externalUrl || null;
        const slug = environmentSlug(name);
        requireValid({ environmentId, name, slug }, state);
        return [{ type: 'EnvironmentCreated', data: { environmentId, projectId, name, slug, externalUrl } }];
      }
      case 'UpdateEnvironment': {
        const { environmentId } = command;
        const current = present(state, environmentId);
        const name = command.name ?? current.name;
        const externalUrl =
          command.externalUrl === undefined ? current.externalUrl : command.externalUrl || null;
        requireValid({ environmentId, name, slug: current.slug }, state);
        const change = changesFrom(current, { name, externalUrl });
        return change === null
          ? []
          : [{ type: 'EnvironmentUpdated', data: { environmentId, projectId, ...change } }];
      }
      case 'RecordDeployment': {
        const { environmentId, deploymentId, autoStopAt, stopPipelineIid, stopJob } = command;
        const current = state.get(environmentId);
        if (!current) return [];
        const change = changesFrom<Deployed>(current, {
          ...{ state: 'available', deletionDueAt: null, autoStopAt, stopPipelineIid, stopJob },
          externalUrl: command.externalUrl ?? undefined,
        });
        if (change === null) return [];
        return [{ type: 'EnvironmentDeployed', data: { environmentId, projectId, deploymentId, ...change } }];
      }
      case 'StopDueEnvironment': {
        const { environmentId } = command;
        const current = state.get(environmentId);
        const isDue = current?.autoStopAt != null && current.autoStopAt <= command.now;
        if (!isDue || current.state === 'stopped') return [];
        return [{ type: 'EnvironmentStopped', data: { environmentId, projectId, ...ENVIRONMENT_STOPPED } }];
      }
      case 'StopEnvironment': {
        const { environmentId } = command;
        if (present(state, environmentId).state === 'stopped') return [];
        return [{ type: 'EnvironmentStopped', data: { environmentId, projectId, ...ENVIRONMENT_STOPPED } }];
      }
      case 'DeleteEnvironment': {
        const { environmentId } = command;
        present(state, environmentId);
        return [{ type: 'EnvironmentDeleted', data: { environmentId, projectId } }];
      }
      case 'ScheduleReviewAppDeletions': {
        const { dueAt } = command;
        return command.environmentIds.flatMap((environmentId) => {
          const environment = state.get(environmentId);
          const change = isIdleReviewApp(environment) && changesFrom(environment, { deletionDueAt: dueAt });
          if (!change) return [];
          const data = { environmentId, projectId, dueAt, ...change };
          return [{ type: 'EnvironmentDeletionScheduled' as const, data }];
        });
      }
      case 'DeleteDueEnvironment': {
        const { environmentId } = command;
        const dueAt = state.get(environmentId)?.deletionDueAt ?? null;
        if (dueAt === null || dueAt > command.now) return [];
        return [{ type: 'EnvironmentDeleted', data: { environmentId, projectId } }];
      }
      default:
        return command satisfies never;
    }
  },

  evolve(state, event) {
    const { environmentId } = event.data;
    const change = (changes: Partial<Environment>) => {
      const current = state.get(environmentId);
      return current ? state.set(environmentId, { ...current, ...changes }) : state;
    };
    switch (event.type) {
      case 'EnvironmentCreated': {
        const { name, slug, externalUrl } = event.data;
        return state.set(environmentId, {
          ...{ name, slug, externalUrl, state: 'available', deletionDueAt: null },
          ...{ autoStopAt: null, stopPipelineIid: null, stopJob: null },
        });
      }
      case 'EnvironmentUpdated':
      case 'EnvironmentDeployed':
        return change(event.data.changes);
      case 'EnvironmentStopped':
        return change({ state: 'stopped' });
      case 'EnvironmentDeletionScheduled':
        return change({ deletionDueAt: event.data.dueAt });
      case 'EnvironmentDeleted':
        return state.delete(environmentId);
      default:
        return event satisfies never;
    }
  },
};

function present(state: EnvironmentsState, id: number): Environment {
  const environment = state.get(id);
  if (!environment) throw new Rejection('record_not_found');
  return environment;
}

function isIdleReviewApp(environment: Environment | undefined): environment is Environment {
  return (
    environment !== undefined &&
    environment.state === 'stopped' &&
    environment.deletionDueAt === null &&
    environment.name.startsWith(REVIEW_FOLDER)
  );
}

const NAME = /^[a-zA-Z0-9_${}. -](?:[a-zA-Z0-9_/${}. -]*[a-zA-Z0-9_${}. -])?$/;
const NAME_RULE =
  "can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', and spaces, but it cannot start or end with '/'";
const MAX_LENGTH = 255;

/** Reports all problems at once, by field, in the words that clients know. */
function requireValid(
  wanted: { environmentId: number; name: string; slug: string },
  state: EnvironmentsState,
): void {
  const { name } = wanted;
  const fields: Record<string, string[]> = {};
  const add = (field: string, problem: string) => {
    fields[field] = [...(fields[field] ?? []), problem];
  };
  if (name.trim() === '') add('name', "can't be blank");
  if (name.length > MAX_LENGTH) add('name', `is too long (maximum is ${MAX_LENGTH} characters)`);
  if (!NAME.test(name)) add('name', NAME_RULE);
  for (const [id, other] of state) {
    if (id === wanted.environmentId) continue;
    if (other.name === name) add('name', 'has already been taken');
    // A slug survives a rename, so a new environment with the old name would share it.
    if (other.slug === wanted.slug) add('slug', 'has already been taken');
  }
  if (Object.keys(fields).length > 0) throw new Rejection('validation_failed', { fields });
}
