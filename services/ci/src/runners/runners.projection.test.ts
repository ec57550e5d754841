import type { RunnerEvent } from '@forgelog/contracts/ci/runners/runner.events.ts';
import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { test } from 'vitest';
import { projectRunners, runners, runnersProjection } from './runners.projection.ts';

const place = { runnerType: 'project_type', groupId: null, projectId: 7 } as const;
const registered: RunnerEvent = {
  type: 'RunnerRegistered',
  data: {
    ...{ runnerId: 3, ...place, description: '', active: true, tags: ['a'], runUntagged: true },
    ...{ locked: false, accessLevel: 'not_protected', maximumTimeout: null, tokenSha256: 'ab' },
  },
};
const enabled = (projectId: number): RunnerEvent => ({
  type: 'RunnerEnabledForProject',
  data: { runnerId: 3, projectId, reason: 'enabled' },
});

test('a runner has its attributes and the projects that it works for', async () => {
  const given = givenEvents(
    runnersProjection,
    registered,
    enabled(7),
    enabled(8),
    {
      type: 'RunnerUpdated',
      data: { runnerId: 3, ...place, changes: { active: false }, previous: { active: true } },
    },
    { type: 'RunnerDisabledForProject', data: { runnerId: 3, projectId: 7, reason: 'deleted' } },
  );
  await given.thenDocuments(runners, [
    { id: 3, active: false, projectIds: [8], tags: ['a'], tokenSha256: 'ab' },
  ]);
  await given.thenDocuments(projectRunners, [{ key: '3-8', runnerId: 3, projectId: 8 }]);
});

test('a removed runner leaves nothing', async () => {
  const removed: RunnerEvent = { type: 'RunnerRemoved', data: { runnerId: 3, ...place, reason: 'removed' } };
  const given = givenEvents(runnersProjection, registered, enabled(7), removed);
  await given.thenDocuments(runners, []);
  await given.thenDocuments(projectRunners, []);
});
