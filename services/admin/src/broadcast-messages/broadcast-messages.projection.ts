import {
  type BroadcastMessageEvent,
  broadcastMessageEvents,
} from '@forgelog/contracts/admin/broadcast-messages/broadcast-message.events.ts';
import { broadcastMessageLifetime } from '@forgelog/contracts/admin/broadcast-messages/broadcast-message.lifetime.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { type DocumentOf, defineCollection } from '@forgelog/eventing/read-store.ts';

export const broadcastMessages = defineCollection({
  name: 'broadcast_messages',
  key: 'id',
  fields: {
    id: 'integer',
    message: 'text',
    startsAt: 'text',
    endsAt: 'text',
    color: 'text',
    font: 'text',
    targetPath: 'text?',
    broadcastType: 'text',
    dismissable: 'boolean',
  },
  indexes: [],
  holds: { lifetime: broadcastMessageLifetime },
});

export type BroadcastMessageRow = DocumentOf<typeof broadcastMessages>;

export const broadcastMessagesProjection = defineProjection<BroadcastMessageEvent>({
  name: 'broadcast-messages',
  collections: [broadcastMessages],
  handles: broadcastMessageEvents.map(({ type }) => type),
  async project(event, documents) {
    const { broadcastMessageId: id } = event.data;
    switch (event.type) {
      case 'BroadcastMessageCreated': {
        const { broadcastMessageId: _, ...message } = event.data;
        return documents.put(broadcastMessages, { id, ...message });
      }
      case 'BroadcastMessageUpdated': {
        const row = await documents.get(broadcastMessages, id);
        if (row) documents.put(broadcastMessages, { ...row, ...event.data.changes });
        return;
      }
      case 'BroadcastMessageDeleted':
        return documents.delete(broadcastMessages, id);
      default:
        event satisfies never;
    }
  },
});
