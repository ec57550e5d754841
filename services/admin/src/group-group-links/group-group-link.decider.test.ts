import type { GroupGroupLinkEvent } from '@forgelog/contracts/admin/group-group-links/group-group-link.events.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { test } from 'vitest';
import { groupGroupLinkDecider as decider } from './group-group-link.decider.ts';

const groups = { groupId: 7, sharedWithGroupId: 50 };
const day = { ...groups, today: '2030-01-31' };
const data = { ...groups, groupGroupLinkId: 1, accessLevel: 30, expiresAt: '2030-02-01' };
const created: GroupGroupLinkEvent = { type: 'GroupGroupLinkCreated', data };
const over: GroupGroupLinkEvent = { ...created, data: { ...data, expiresAt: day.today } };
const deleted = (reason: 'removed' | 'expired' | 'deleted'): GroupGroupLinkEvent => ({
  type: 'GroupGroupLinkDeleted',
  data: { ...groups, groupGroupLinkId: 1, reason },
});
const share = { type: 'ShareGroup', ...data, today: day.today } as const;
const unshare = { type: 'UnshareGroup', ...day } as const;

test('two groups have one share, and another one after it ended', () => {
  given(decider).when(share).thenEvents(created);
  given(decider, created).when(share).thenRejected('conflict');
  given(decider, created, deleted('removed')).when(share).thenEvents(created);
});

test('a share whose day has come ends before the next one begins', () => {
  given(decider, over).when(share).thenEvents(deleted('expired'), created);
});

test('a share is taken back once, while it lasts', () => {
  given(decider, created).when(unshare).thenEvents(deleted('removed'));
  given(decider).when(unshare).thenRejected('not_found');
  given(decider, over).when(unshare).thenRejected('not_found');
  given(decider, created, deleted('removed')).when(unshare).thenRejected('not_found');
});

test('a share ends by its date, and with one of its groups', () => {
  const end = (reason: 'expired' | 'deleted') => ({ type: 'EndGroupShare', reason, ...day }) as const;
  given(decider, over).when(end('expired')).thenEvents(deleted('expired'));
  given(decider, created).when(end('expired')).thenEvents();
  given(decider, created).when(end('deleted')).thenEvents(deleted('deleted'));
  given(decider).when(end('deleted')).thenEvents();
});
