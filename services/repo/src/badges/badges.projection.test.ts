import type { BadgeEvent } from '@forgelog/contracts/repo/badges/badge.events.ts';
import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { projectDeleted } from '@forgelog/testing/sample-events.ts';
import { test } from 'vitest';
import { badges, badgesProjection } from './badges.projection.ts';

const badge = { name: null, linkUrl: 'https://ci.example.org/', imageUrl: 'https://ci.example.org/a.svg' };
const created = (badgeId: number, projectId: number | null, groupId: number | null = null): BadgeEvent => ({
  type: 'BadgeCreated',
  data: { badgeId, projectId, groupId, ...badge },
});
const GROUP_DELETED = { type: 'GroupDeleted', data: { groupId: 5, fullPath: 'five' } } as const;

test('a badge is stored as it was changed last', async () => {
  await givenEvents(badgesProjection, created(1, 7), {
    type: 'BadgeUpdated',
    data: { badgeId: 1, projectId: 7, groupId: null, changes: { name: 'built' }, previous: { name: null } },
  }).thenDocuments(badges, [{ id: 1, projectId: 7, groupId: null, ...badge, name: 'built' }]);
});

test('a badge is deleted by itself, with its project and with its group', async () => {
  const deletion: BadgeEvent = { type: 'BadgeDeleted', data: { badgeId: 1, projectId: 8, groupId: null } };
  await givenEvents(
    badgesProjection,
    ...[created(1, 8), created(2, 7), created(3, 8), created(4, null, 5), created(5, null, 6)],
    deletion,
    projectDeleted(7).event,
    GROUP_DELETED as never,
  ).thenDocuments(badges, [{ id: 3 }, { id: 5 }]);
});
