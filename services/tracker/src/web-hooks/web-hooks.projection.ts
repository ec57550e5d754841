import { GroupDeleted } from '@forgelog/contracts/admin/groups/group.events.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { type WebHookEvent, webHookEvents } from '@forgelog/contracts/tracker/web-hooks/web-hook.events.ts';
import { webHookLifetime } from '@forgelog/contracts/tracker/web-hooks/web-hook.lifetime.ts';
import {
  type WebHookDeliveryEvent,
  webHookDeliveryEvents,
} from '@forgelog/contracts/tracker/web-hooks/web-hook-delivery.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

export const webHooks = defineCollection({
  name: 'web_hooks',
  key: 'id',
  fields: {
    id: 'integer',
    projectId: 'integer?',
    groupId: 'integer?',
    /** `hookPlace` of both. */
    place: 'text',
    triggers: 'text[]',
    branchFilter: 'text?',
    verifyCertificate: 'boolean',
    sealedUrl: 'text',
    sealedToken: 'text?',
    disabled: 'boolean',
    /** Whether its deliveries go on by themselves until it has caught up. */
    behind: 'boolean',
    /** Up to where it has been told of everything. */
    position: 'text',
    /** Deliveries in a row that failed. */
    failures: 'integer',
    /** Ids of the deliveries that are kept, the oldest first. */
    deliveryIds: 'integer[]',
    createdAt: 'text',
    updatedAt: 'text',
  },
  indexes: [['place'], ['projectId'], ['groupId'], ['behind']],
  holds: { lifetime: webHookLifetime },
  ownedBy: [
    endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId)),
    endsWith(GroupDeleted, ({ groupId }) => eq('groupId', groupId)),
  ],
});

/** The newest deliveries of each hook. */
export const webHookDeliveries = defineCollection({
  name: 'web_hook_deliveries',
  key: 'id',
  fields: {
    id: 'integer',
    webHookId: 'integer',
    projectId: 'integer?',
    groupId: 'integer?',
    trigger: 'text',
    cause: 'text',
    eventId: 'text?',
    eventSubject: 'text?',
    eventRevision: 'integer?',
    part: 'integer',
    delivered: 'boolean',
    attempts: 'integer',
    status: 'integer?',
    error: 'text?',
    milliseconds: 'integer',
    createdAt: 'text',
  },
  indexes: [['webHookId', 'id'], ['projectId'], ['groupId']],
  ownedBy: [
    endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId)),
    endsWith(GroupDeleted, ({ groupId }) => eq('groupId', groupId)),
  ],
});

export type WebHookRow = DocumentOf<typeof webHooks>;
export type WebHookDeliveryRow = DocumentOf<typeof webHookDeliveries>;

export const KEPT_DELIVERIES = 100;

export const hookPlace = ({ projectId, groupId }: Pick<WebHookRow, 'projectId' | 'groupId'>): string =>
  projectId !== null ? `project-${projectId}` : groupId !== null ? `group-${groupId}` : 'instance';

export const webHooksProjection = defineProjection<WebHookEvent | WebHookDeliveryEvent>({
  name: 'web-hooks',
  collections: [webHooks, webHookDeliveries],
  handles: [...webHookEvents, ...webHookDeliveryEvents].map(({ type }) => type),
  async project(event, documents) {
    const { webHookId: id, projectId, groupId } = event.data;
    const { time, position: at } = event;
    if (event.type === 'WebHookCreated') {
      const { triggers, branchFilter, verifyCertificate, sealedUrl, sealedToken } = event.data;
      return documents.put(webHooks, {
        ...{ id, projectId, groupId, place: hookPlace({ projectId, groupId }) },
        ...{ triggers, branchFilter, verifyCertificate, sealedUrl, sealedToken },
        ...{ disabled: false, behind: false, position: at, failures: 0, deliveryIds: [] },
        ...{ createdAt: time, updatedAt: time },
      });
    }
    const row = await documents.get(webHooks, id);
    if (!row) return;
    const change = (changes: Partial<WebHookRow>) => documents.put(webHooks, { ...row, ...changes });
    switch (event.type) {
      case 'WebHookUpdated':
        return change({ ...event.data.changes, updatedAt: time });
      case 'WebHookDeleted':
        documents.delete(webHooks, id);
        await documents.deleteAll(webHookDeliveries, eq('webHookId', id));
        return;
      case 'WebHookDisabled':
        return change({ disabled: true, behind: false });
      case 'WebHookEnabled':
        return change({ disabled: false, failures: 0, position: at });
      case 'WebHookRewound':
      case 'WebHookFellBehind':
        return change({ behind: true, position: event.data.toldUpTo });
      case 'WebHookCaughtUp':
        return change({ behind: false, position: event.data.toldUpTo });
      case 'WebHookDelivered': {
        const { webHookDeliveryId, toldUpTo, ...delivery } = event.data;
        if (row.deliveryIds.includes(webHookDeliveryId)) return;
        const deliveryIds = [...row.deliveryIds, webHookDeliveryId];
        if (deliveryIds.length > KEPT_DELIVERIES) documents.delete(webHookDeliveries, deliveryIds.shift()!);
        documents.put(webHookDeliveries, { ...delivery, id: webHookDeliveryId, createdAt: time });
        const counts = delivery.cause === 'event';
        const failures = delivery.delivered ? 0 : counts ? row.failures + 1 : row.failures;
        return change({
          deliveryIds,
          failures,
          ...(toldUpTo !== null && { position: toldUpTo }),
        });
      }
      default:
        event satisfies never;
    }
  },
});
