import type { FeatureFlagEvent } from '@forgelog/contracts/ci/feature-flags/feature-flag.events.ts';
import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { projectDeleted } from '@forgelog/testing/sample-events.ts';
import { test } from 'vitest';
import { featureFlags, featureFlagsProjection, featureFlagUserLists } from './feature-flags.projection.ts';

const flag = (featureFlagId: number, projectId = 7): FeatureFlagEvent => ({
  type: 'FeatureFlagCreated',
  data: {
    ...{ featureFlagId, projectId, name: `flag-${featureFlagId}`, description: null, active: true },
    strategies: [],
  },
});
const list = (featureFlagUserListId: number, projectId = 7): FeatureFlagEvent => ({
  type: 'FeatureFlagUserListCreated',
  data: { featureFlagUserListId, projectId, iid: featureFlagUserListId, name: 'Testers', userXids: 'ada' },
});

test('flags and lists are stored as they were changed last', async () => {
  const given = givenEvents(
    featureFlagsProjection,
    flag(1),
    list(1),
    {
      type: 'FeatureFlagUpdated',
      data: { featureFlagId: 1, projectId: 7, changes: { active: false }, previous: { active: true } },
    },
    {
      type: 'FeatureFlagUserListUpdated',
      data: {
        ...{ featureFlagUserListId: 1, projectId: 7, iid: 1 },
        ...{ changes: { userXids: 'ada,grace' }, previous: { userXids: 'ada' } },
      },
    },
  );
  await given.thenDocuments(featureFlags, [{ id: 1, name: 'flag-1', active: false }]);
  await given.thenDocuments(featureFlagUserLists, [{ id: 1, iid: 1, userXids: 'ada,grace' }]);
});

test('they are deleted by themselves and with their project', async () => {
  const given = givenEvents(
    featureFlagsProjection,
    ...[flag(1), flag(2), flag(3, 8), list(1), list(2), list(3, 8)],
    { type: 'FeatureFlagDeleted', data: { featureFlagId: 1, projectId: 7 } },
    { type: 'FeatureFlagUserListDeleted', data: { featureFlagUserListId: 1, projectId: 7, iid: 1 } },
    projectDeleted(7).event,
  );
  await given.thenDocuments(featureFlags, [{ id: 3 }]);
  await given.thenDocuments(featureFlagUserLists, [{ id: 3 }]);
});
