import type { ReleaseEvent } from '@forgelog/contracts/repo/releases/release.events.ts';
import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { projectDeleted } from '@forgelog/testing/sample-events.ts';
import { test } from 'vitest';
import { releaseEvidences, releaseLinks, releases } from './releases.collection.ts';
import { releasesProjection } from './releases.projection.ts';

const AT = '2030-01-02T00:00:00.000Z';
const ids = (releaseId: number, projectId = 7) => ({ releaseId, projectId, tagName: `v${releaseId}` });
const created = (releaseId: number, projectId = 7): ReleaseEvent => ({
  type: 'ReleaseCreated',
  data: {
    ...{ ...ids(releaseId, projectId), userId: 1, name: 'First', description: null, releasedAt: AT },
    milestoneIds: [],
  },
});
const linked = (releaseLinkId: number, releaseId: number, projectId = 7): ReleaseEvent => ({
  type: 'ReleaseLinkAdded',
  data: {
    ...{ releaseLinkId, ...ids(releaseId, projectId), name: `n${releaseLinkId}` },
    ...{ url: `https://a.test/${releaseLinkId}`, filepath: null, linkType: 'other' },
  },
});
const collected = (releaseEvidenceId: number, releaseId: number, projectId = 7): ReleaseEvent => ({
  type: 'ReleaseEvidenceCreated',
  data: { releaseEvidenceId, ...ids(releaseId, projectId), sha: 'a'.repeat(64), snapshot: '{}' },
});

test('evidence is due at the time of the release until there is some', async () => {
  const releasedAt = '2031-01-01T00:00:00.000Z';
  const updated: ReleaseEvent = {
    type: 'ReleaseUpdated',
    data: { ...ids(1), changes: { releasedAt }, previous: { releasedAt: AT } },
  };
  await givenEvents(releasesProjection, created(1), updated).thenDocuments(releases, [
    { id: 1, releasedAt, evidenceDueAt: releasedAt },
  ]);
  await givenEvents(releasesProjection, created(1), collected(1, 1), updated).thenDocuments(releases, [
    { id: 1, releasedAt, evidenceDueAt: null },
  ]);
});

test('links and evidence go with their release, and all go with their project', async () => {
  const given = givenEvents(
    releasesProjection,
    ...[created(1), linked(1, 1), collected(1, 1)],
    ...[created(2), linked(2, 2), collected(2, 2)],
    ...[created(3, 8), linked(3, 3, 8), collected(3, 3, 8)],
    { type: 'ReleaseDeleted', data: { ...ids(1), reason: 'deleted' } },
    projectDeleted(7).event,
  );
  for (const collection of [releases, releaseLinks, releaseEvidences])
    await given.thenDocuments(collection, [{ id: 3 }]);
});
