import type { DeployKeyEvent } from '@forgelog/contracts/admin/deploy-keys/deploy-key.events.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { changesFrom } from '@forgelog/eventing/changes.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';

export type DeployKeyState =
  | { status: 'absent' }
  | {
      status: 'present';
      deployKeyId: number;
      title: string;
      isPublic: boolean;
      /** Project id → whether the key may push there. */
      projects: ReadonlyMap<number, boolean>;
    };

interface Key {
  deployKeyId: number;
  fingerprint: string;
}

export type DeployKeyCommand = Key &
  (
    | {
        type: 'CreateDeployKey';
        title: string;
        key: string;
        keyIds: readonly string[];
        /** The project that has it; null for a key that each may enable. */
        projectId: number | null;
        canPush: boolean;
      }
    | { type: 'EnableDeployKey'; projectId: number; canPush: boolean }
    | {
        type: 'ChangeDeployKey';
        projectId: number;
        title: string | undefined;
        canPush: boolean | undefined;
      }
    | { type: 'DisableDeployKey'; projectId: number }
  );

/** A key is one stream, so that it is added once. */
export const deployKeyStream = (fingerprint: string) => `deployKey-${fingerprint}`;

export const deployKeyDecider: Decider<DeployKeyState, DeployKeyCommand, DeployKeyEvent> = {
  initialState: { status: 'absent' },

  decide(command, state) {
    const { deployKeyId, fingerprint } = command;
    const ids = { deployKeyId, fingerprint };
    if (command.type === 'CreateDeployKey') {
      const { projectId, canPush, title, key } = command;
      if (state.status === 'present') throw keyTaken(projectId !== null);
      requireTitle(title);
      const isPublic = projectId === null;
      const created = { ...ids, title, key, keyIds: [...command.keyIds], isPublic };
      return [
        { type: 'DeployKeyCreated', data: created },
        ...(isPublic ? [] : [enabled(ids, projectId, canPush)]),
      ];
    }
    if (state.status === 'absent' || state.deployKeyId !== deployKeyId) throw noKey();
    const { projectId } = command;
    const mayPush = state.projects.get(projectId);
    if (command.type === 'EnableDeployKey')
      return mayPush === undefined ? [enabled(ids, projectId, command.canPush)] : [];
    if (mayPush === undefined) throw noKey();
    switch (command.type) {
      case 'ChangeDeployKey': {
        const { title, canPush } = command;
        if (title !== undefined) requireTitle(title);
        const renamed = changesFrom({ title: state.title }, { title });
        const access = changesFrom({ canPush: mayPush }, { canPush });
        const data = { ...ids, projectId };
        return [
          ...(renamed ? [{ type: 'DeployKeyUpdated' as const, data: { ...data, ...renamed } }] : []),
          ...(access ? [{ type: 'DeployKeyAccessUpdated' as const, data: { ...data, ...access } }] : []),
        ];
      }
      case 'DisableDeployKey': {
        const isLast = state.projects.size === 1 && !state.isPublic;
        return [
          { type: 'DeployKeyDisabledForProject', data: { ...ids, projectId } },
          ...(isLast ? [{ type: 'DeployKeyDeleted' as const, data: ids }] : []),
        ];
      }
      default:
        return command satisfies never;
    }
  },

  evolve(state, event) {
    if (event.type === 'DeployKeyCreated') {
      const { deployKeyId, title, isPublic } = event.data;
      return { status: 'present', deployKeyId, title, isPublic, projects: new Map() };
    }
    if (state.status === 'absent') return state;
    switch (event.type) {
      case 'DeployKeyUpdated':
        return { ...state, ...event.data.changes };
      case 'DeployKeyDeleted':
        return { status: 'absent' };
      case 'DeployKeyEnabledForProject':
      case 'DeployKeyAccessUpdated': {
        const { projectId } = event.data;
        const canPush =
          event.type === 'DeployKeyEnabledForProject' ? event.data.canPush : event.data.changes.canPush;
        return { ...state, projects: new Map([...state.projects, [projectId, canPush ?? false]]) };
      }
      case 'DeployKeyDisabledForProject': {
        const projects = new Map(state.projects);
        projects.delete(event.data.projectId);
        return { ...state, projects };
      }
      default:
        return event satisfies never;
    }
  },
};

const enabled = (key: Key, projectId: number, canPush: boolean): DeployKeyEvent => ({
  type: 'DeployKeyEnabledForProject',
  data: { ...key, projectId, canPush },
});

export const noKey = () => new Rejection('not_found', { what: 'Deploy Key' });

/** Clients of projects know the first form. */
export const keyTaken = (inProject: boolean) =>
  new Rejection('validation_failed', {
    fields: { [inProject ? 'deploy_key.fingerprint' : 'fingerprint']: ['has already been taken'] },
  });

function requireTitle(title: string): void {
  if (title.trim() === '')
    throw new Rejection('validation_failed', { fields: { title: ["can't be blank"] } });
}
