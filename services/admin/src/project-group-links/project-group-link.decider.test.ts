import type { ProjectGroupLinkEvent } from '@forgelog/contracts/admin/project-group-links/project-group-link.events.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { test } from 'vitest';
import { projectGroupLinkDecider as decider } from './project-group-link.decider.ts';

const place = { projectId: 7, groupId: 50 };
const day = { ...place, today: '2030-01-31' };
const data = { ...place, projectGroupLinkId: 1, accessLevel: 30, expiresAt: '2030-02-01' };
const created: ProjectGroupLinkEvent = { type: 'ProjectGroupLinkCreated', data };
const over: ProjectGroupLinkEvent = {
  type: 'ProjectGroupLinkCreated',
  data: { ...data, expiresAt: day.today },
};
const deleted = (reason: 'removed' | 'expired' | 'deleted'): ProjectGroupLinkEvent => ({
  type: 'ProjectGroupLinkDeleted',
  data: { ...place, projectGroupLinkId: 1, reason },
});
const share = { type: 'ShareProject', ...data, today: day.today } as const;
const unshare = { type: 'UnshareProject', ...day } as const;

test('a project is shared with a group once', () => {
  given(decider).when(share).thenEvents(created);
  given(decider, created).when(share).thenRejected('conflict');
  given(decider, created, deleted('removed')).when(share).thenEvents(created);
});

test('a share that is over is ended and made anew', () => {
  given(decider, over).when(share).thenEvents(deleted('expired'), created);
});

test('only a share that is there can be taken back', () => {
  given(decider, created).when(unshare).thenEvents(deleted('removed'));
  given(decider).when(unshare).thenRejected('not_found');
  given(decider, over).when(unshare).thenRejected('not_found');
  given(decider, created, deleted('removed')).when(unshare).thenRejected('not_found');
});

test('a share ends by its date, or with its project or group', () => {
  const end = (reason: 'expired' | 'deleted') => ({ type: 'EndProjectShare', reason, ...day }) as const;
  given(decider, over).when(end('expired')).thenEvents(deleted('expired'));
  given(decider, created).when(end('expired')).thenEvents();
  given(decider, created).when(end('deleted')).thenEvents(deleted('deleted'));
  given(decider).when(end('deleted')).thenEvents();
});
