import type { BroadcastMessageEvent } from '@forgelog/contracts/admin/broadcast-messages/broadcast-message.events.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { test } from 'vitest';
import { broadcastMessageDecider } from './broadcast-message.decider.ts';

const id = { broadcastMessageId: 1 };
const message = {
  ...{ message: 'Rest on Sunday', startsAt: '2026-11-20T12:00:00.000Z', endsAt: '2026-11-22T12:00:00.000Z' },
  ...{ color: '#E75E40', font: '#fff', targetPath: null, dismissable: false },
  broadcastType: 'banner',
} as const;
const created: BroadcastMessageEvent = { type: 'BroadcastMessageCreated', data: { ...id, ...message } };
const deleted: BroadcastMessageEvent = { type: 'BroadcastMessageDeleted', data: id };
const create = { type: 'CreateBroadcastMessage', ...id, ...message } as const;
const update = (changes: object) => ({ type: 'UpdateBroadcastMessage', ...id, changes }) as const;
const remove = { type: 'DeleteBroadcastMessage', ...id } as const;

test('a message is created once', () => {
  given(broadcastMessageDecider).when(create).thenEvents(created);
  given(broadcastMessageDecider, created).when(create).thenRejected('conflict');
});

test('all problems of a message are reported at once, also when it changes', () => {
  given(broadcastMessageDecider)
    .when({ ...create, message: ' ', endsAt: message.startsAt, color: 'red', font: '#ffff' })
    .thenRejected('validation_failed', {
      message: {
        message: ["can't be blank"],
        ends_at: ['must be after starts_at'],
        color: ['must be a valid color code'],
        font: ['must be a valid color code'],
      },
    });
  given(broadcastMessageDecider, created)
    .when(update({ endsAt: '2026-11-19T12:00:00.000Z' }))
    .thenRejected('validation_failed');
});

test('an update records only changes, with their old values', () => {
  given(broadcastMessageDecider, created)
    .when(update({ font: '#000', color: undefined, dismissable: false }))
    .thenEvents({
      type: 'BroadcastMessageUpdated',
      data: { ...id, changes: { font: '#000' }, previous: { font: '#fff' } },
    });
  given(broadcastMessageDecider, created).when(update({})).thenEvents();
});

test('a deleted message is not found', () => {
  given(broadcastMessageDecider, created).when(remove).thenEvents(deleted);
  given(broadcastMessageDecider, created, deleted).when(remove).thenRejected('record_not_found');
  given(broadcastMessageDecider).when(update({})).thenRejected('record_not_found');
});
