import type { BadgeEvent } from '@forgelog/contracts/repo/badges/badge.events.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { test } from 'vitest';
import { badgeDecider } from './badge.decider.ts';

const ids = { badgeId: 3, projectId: 7, groupId: null };
const badge = {
  name: 'coverage',
  linkUrl: 'https://ci.example.org/',
  imageUrl: 'https://ci.example.org/a.svg',
};
const created: BadgeEvent = { type: 'BadgeCreated', data: { ...ids, ...badge } };
const deleted: BadgeEvent = { type: 'BadgeDeleted', data: ids };
const create = { type: 'CreateBadge', ...ids, ...badge } as const;
const remove = { type: 'DeleteBadge', ...ids } as const;
const update = (changes: { name?: string | null; linkUrl?: string }) =>
  ({
    type: 'UpdateBadge',
    ...ids,
    changes: { name: undefined, linkUrl: undefined, imageUrl: undefined, ...changes },
  }) as const;

test('a badge is created once', () => {
  given(badgeDecider).when(create).thenEvents(created);
  given(badgeDecider, created).when(create).thenRejected('conflict');
});

test('an update records only changes with their old values, and clears a name', () => {
  given(badgeDecider, created)
    .when(update({ name: null, linkUrl: badge.linkUrl }))
    .thenEvents({
      type: 'BadgeUpdated',
      data: { ...ids, changes: { name: null }, previous: { name: 'coverage' } },
    });
  given(badgeDecider, created)
    .when(update({ name: 'coverage' }))
    .thenEvents();
});

test('a badge that is deleted or of another place is not found', () => {
  given(badgeDecider, created).when(remove).thenEvents(deleted);
  given(badgeDecider, created, deleted).when(remove).thenRejected('not_found');
  given(badgeDecider, created)
    .when({ ...remove, projectId: 8 })
    .thenRejected('not_found');
  given(badgeDecider, created)
    .when({ ...remove, projectId: null, groupId: 7 })
    .thenRejected('not_found');
  given(badgeDecider).when(update({})).thenRejected('not_found');
});
