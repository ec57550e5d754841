import { Rejection } from '@forgelog/contracts/errors.ts';
import {
  HOOK_DISABLED,
  HOOK_ENABLED,
  type WebHookEvent,
} from '@forgelog/contracts/tracker/web-hooks/web-hook.events.ts';
import type { Trigger } from '@forgelog/contracts/tracker/web-hooks/web-hook-triggers.ts';
import { changesFrom } from '@forgelog/eventing/changes.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';

/** One is there, or none for a hook of the instance. */
export interface HookPlace {
  projectId: number | null;
  groupId: number | null;
}

interface Attributes {
  triggers: Trigger[];
  branchFilter: string | null;
  verifyCertificate: boolean;
}

interface Secrets {
  sealedUrl: string;
  sealedToken: string | null;
}

export type WebHookState =
  | { status: 'absent' }
  | ({ status: 'present'; disabled: boolean; behind: boolean } & HookPlace & Attributes)
  | { status: 'deleted' };

type Ids = { webHookId: number } & HookPlace;

export type WebHookCommand = Ids &
  (
    | ({ type: 'CreateWebHook' } & Attributes & Secrets)
    | {
        type: 'UpdateWebHook';
        /** Undefined keeps an attribute; a flag that is undefined keeps its trigger. */
        flags: Partial<Record<Trigger, boolean>>;
        branchFilter: string | null | undefined;
        verifyCertificate: boolean | undefined;
        secrets: Partial<Secrets>;
      }
    | { type: 'DeleteWebHook' }
    | { type: 'DisableWebHook'; failures: number }
    | { type: 'EnableWebHook' }
    | { type: 'RewindWebHook'; position: string }
    | { type: 'LeaveWebHookBehind'; position: string }
    | { type: 'NoteWebHookCaughtUp'; position: string }
  );

export const webHookStream = (id: number) => `webHook-${id}`;

export const webHookDecider: Decider<WebHookState, WebHookCommand, WebHookEvent> = {
  initialState: { status: 'absent' },

  decide(command, state) {
    const { webHookId, projectId, groupId } = command;
    const ids = { webHookId, projectId, groupId };
    if (command.type === 'CreateWebHook') {
      if (state.status !== 'absent') throw new Rejection('conflict', {});
      const { triggers, branchFilter, verifyCertificate, sealedUrl, sealedToken } = command;
      const attributes = {
        triggers: triggers.toSorted(),
        branchFilter: filterIn(branchFilter),
        verifyCertificate,
      };
      return [{ type: 'WebHookCreated', data: { ...ids, ...attributes, sealedUrl, sealedToken } }];
    }
    // The id in the path may belong to another place.
    if (state.status !== 'present' || state.projectId !== projectId || state.groupId !== groupId)
      throw new Rejection('record_not_found');
    const enabled: WebHookEvent[] = state.disabled
      ? [{ type: 'WebHookEnabled', data: { ...ids, ...HOOK_ENABLED } }]
      : [];
    switch (command.type) {
      case 'UpdateWebHook': {
        const { flags, branchFilter, verifyCertificate, secrets } = command;
        const wanted = {
          triggers: triggersAfter(state.triggers, flags),
          branchFilter: branchFilter === undefined ? state.branchFilter : filterIn(branchFilter),
          verifyCertificate: verifyCertificate ?? state.verifyCertificate,
        };
        const { changes, previous } = changesFrom<Attributes>(state, wanted) ?? { changes: {}, previous: {} };
        const withheldChanges = [
          ...(secrets.sealedUrl === undefined ? [] : (['url'] as const)),
          ...(secrets.sealedToken === undefined ? [] : (['token'] as const)),
        ];
        if (Object.keys(changes).length === 0 && withheldChanges.length === 0) return enabled;
        const data = { ...ids, changes: { ...changes, ...secrets }, previous, withheldChanges };
        return [{ type: 'WebHookUpdated', data }, ...enabled];
      }
      case 'DeleteWebHook':
        return [{ type: 'WebHookDeleted', data: ids }];
      case 'DisableWebHook': {
        if (state.disabled) return [];
        const { failures } = command;
        return [{ type: 'WebHookDisabled', data: { ...ids, failures, ...HOOK_DISABLED } }];
      }
      case 'EnableWebHook':
        return enabled;
      case 'RewindWebHook':
        if (state.disabled) throw new Rejection('hook_refused', { message: 'The hook is switched off' });
        return [{ type: 'WebHookRewound', data: { ...ids, toldUpTo: command.position } }];
      case 'LeaveWebHookBehind':
        if (state.behind || state.disabled) return [];
        return [{ type: 'WebHookFellBehind', data: { ...ids, toldUpTo: command.position } }];
      case 'NoteWebHookCaughtUp':
        if (!state.behind) return [];
        return [{ type: 'WebHookCaughtUp', data: { ...ids, toldUpTo: command.position } }];
      default:
        return command satisfies never;
    }
  },

  evolve(state, event) {
    if (event.type === 'WebHookCreated') {
      const { projectId, groupId, triggers, branchFilter, verifyCertificate } = event.data;
      const attributes = { triggers, branchFilter, verifyCertificate };
      return { status: 'present', projectId, groupId, ...attributes, disabled: false, behind: false };
    }
    if (state.status !== 'present') return state;
    switch (event.type) {
      case 'WebHookUpdated': {
        const { sealedUrl: _, sealedToken: __, ...changes } = event.data.changes;
        return { ...state, ...changes };
      }
      case 'WebHookDeleted':
        return { status: 'deleted' };
      case 'WebHookDisabled':
        return { ...state, disabled: true, behind: false };
      case 'WebHookEnabled':
        return { ...state, disabled: false };
      case 'WebHookRewound':
      case 'WebHookFellBehind':
        return { ...state, behind: true };
      case 'WebHookCaughtUp':
        return { ...state, behind: false };
      default:
        return event satisfies never;
    }
  },
};

function triggersAfter(before: readonly Trigger[], flags: Partial<Record<Trigger, boolean>>): Trigger[] {
  const after = new Set(before);
  for (const [name, wanted] of Object.entries(flags) as [Trigger, boolean | undefined][])
    if (wanted === true) after.add(name);
    else if (wanted === false) after.delete(name);
  return [...after].toSorted();
}

/** As names of branches are: no spaces, controls, or what git gives a meaning. @throws 422 */
const FILTER = /^[^\p{Cc}\p{Z} ~^:?[\\]{1,5000}$/u;

function filterIn(text: string | null): string | null {
  if (text === null || text === '') return null;
  if (!FILTER.test(text) || text.includes('..') || text.includes('//') || /^\/|\/$/.test(text))
    throw new Rejection('hook_refused', { message: 'Invalid branch filter given' });
  return text;
}
