import type { DebianDistributionEvent } from '@forgelog/contracts/repo/debian-distributions/debian-distribution.events.ts';
import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { projectDeleted } from '@forgelog/testing/sample-events.ts';
import { test } from 'vitest';
import { debianDistributions, debianDistributionsProjection } from './debian-distributions.projection.ts';

const ids = { debianDistributionId: 1, projectId: 7, groupId: null };
const created: DebianDistributionEvent = {
  type: 'DebianDistributionCreated',
  data: {
    ...{ ...ids, codename: 'bookworm', suite: 'stable', origin: null, label: null, version: null },
    ...{ description: null, validTimeDurationSeconds: null, components: ['main'], architectures: ['all'] },
  },
};
const updated: DebianDistributionEvent = {
  type: 'DebianDistributionUpdated',
  data: { ...ids, changes: { suite: null, label: 'engines' }, previous: { suite: 'stable', label: null } },
};
const deleted: DebianDistributionEvent = { type: 'DebianDistributionDeleted', data: ids };

test('a distribution is as its events say, and ends by its own or its project', async () => {
  await givenEvents(debianDistributionsProjection, created, updated).thenDocuments(debianDistributions, [
    { id: 1, projectId: 7, codename: 'bookworm', suite: null, label: 'engines', components: ['main'] },
  ]);
  for (const end of [deleted, projectDeleted(7).event])
    await givenEvents(debianDistributionsProjection, created, end).thenDocuments(debianDistributions, []);
});
