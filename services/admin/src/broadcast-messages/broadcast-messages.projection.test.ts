import type { BroadcastMessageEvent } from '@forgelog/contracts/admin/broadcast-messages/broadcast-message.events.ts';
import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { test } from 'vitest';
import { broadcastMessages, broadcastMessagesProjection } from './broadcast-messages.projection.ts';

const created = (broadcastMessageId: number): BroadcastMessageEvent => ({
  type: 'BroadcastMessageCreated',
  data: {
    ...{ broadcastMessageId, message: 'Rest', color: '#E75E40', font: '#FFFFFF', targetPath: null },
    ...{ startsAt: '2026-11-20T12:00:00.000Z', endsAt: '2026-11-22T12:00:00.000Z' },
    ...{ broadcastType: 'banner', dismissable: false },
  },
});

test('a message is stored as it was changed last, until it is deleted', async () => {
  await givenEvents(
    broadcastMessagesProjection,
    ...[created(1), created(2)],
    {
      type: 'BroadcastMessageUpdated',
      data: { broadcastMessageId: 1, changes: { message: 'Work' }, previous: { message: 'Rest' } },
    },
    { type: 'BroadcastMessageDeleted', data: { broadcastMessageId: 2 } },
  ).thenDocuments(broadcastMessages, [{ id: 1, message: 'Work', font: '#FFFFFF' }]);
});
