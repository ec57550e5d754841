import {
  WebHookCreated,
  WebHookDeleted,
  WebHookDisabled,
  WebHookEnabled,
  WebHookRewound,
  WebHookUpdated,
} from '@forgelog/contracts/tracker/web-hooks/web-hook.events.ts';
import { initiatorOf, type RecordedEvent } from '@forgelog/eventing/event.ts';
import { type AuditEntry, type AuditRule, audited, changeOf, flatChanges } from './audit-rule.ts';

interface HookData {
  webHookId: number;
  projectId: number | null;
  groupId: number | null;
}

/** Hooks of the instance are among what their author did, because an audit event belongs to a user or a place. */
function about(
  { metadata }: Pick<RecordedEvent, 'metadata'>,
  { webHookId: id, projectId, groupId }: HookData,
): Pick<AuditEntry, 'entity' | 'target'> | undefined {
  const target = { type: 'WebHook', id, details: `Hook ${id}` };
  if (projectId !== null) return { entity: { type: 'Project', id: projectId }, target };
  if (groupId !== null) return { entity: { type: 'Group', id: groupId }, target };
  const { actorId } = initiatorOf(metadata);
  return actorId === null ? undefined : { entity: { type: 'User', id: actorId }, target };
}

function said(
  event: Pick<RecordedEvent, 'metadata'> & { data: HookData },
  rest: Omit<AuditEntry, 'entity' | 'target'>,
) {
  const of = about(event, event.data);
  return of && { ...of, ...rest };
}

/** Addresses and tokens never reach the audit log: it tells that they changed. */
export const webHookAuditRules: readonly AuditRule[] = [
  audited(WebHookCreated, async (event) =>
    said(event, { message: `Added hook ${event.data.webHookId}`, add: 'web_hook' }),
  ),
  audited(WebHookUpdated, async (event) => {
    const { webHookId, changes } = event.data;
    const flat = flatChanges(changes);
    const message = `Changed hook ${webHookId}: ${Object.keys(flat).join(', ')}`;
    return said(event, { message, ...changeOf(flat) });
  }),
  audited(WebHookDeleted, async (event) => said(event, { message: `Deleted hook ${event.data.webHookId}` })),
  audited(WebHookDisabled, async (event) => {
    const { webHookId, failures } = event.data;
    return said(event, { message: `Switched off hook ${webHookId} after ${failures} failures` });
  }),
  audited(WebHookEnabled, async (event) =>
    said(event, { message: `Switched on hook ${event.data.webHookId}` }),
  ),
  audited(WebHookRewound, async (event) =>
    said(event, { message: `Replayed to hook ${event.data.webHookId}` }),
  ),
];
