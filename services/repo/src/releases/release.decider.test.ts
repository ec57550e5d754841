import type { ReleaseEvent } from '@forgelog/contracts/repo/releases/release.events.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { test } from 'vitest';
import { releaseDecider } from './release.decider.ts';

const ofTag = { projectId: 7, tagName: 'v1' };
const ids = { releaseId: 3, ...ofTag };
const attributes = {
  name: 'First',
  description: null,
  releasedAt: '2030-01-02T00:00:00.000Z',
  milestoneIds: [4],
};
const created: ReleaseEvent = { type: 'ReleaseCreated', data: { ...ids, userId: 1, ...attributes } };
const deleted: ReleaseEvent = { type: 'ReleaseDeleted', data: { ...ids, reason: 'deleted' } };
const collected: ReleaseEvent = {
  type: 'ReleaseEvidenceCreated',
  data: { releaseEvidenceId: 5, ...ids, sha: 'a'.repeat(64), snapshot: '{}' },
};
const evidence = {
  releaseEvidenceId: 6,
  released: {
    ...{ tagOid: 'b'.repeat(40), commitOid: null },
    project: { id: 7, name: 'P', description: null, createdAt: '2030-01-01T00:00:00.000Z' },
    milestones: [],
  },
};
const due = (now: string) => ({ type: 'CollectDueEvidence' as const, ...ofTag, now, evidence });
const withTag = { type: 'DeleteReleaseOfDeletedTag' as const, ...ofTag, releaseId: 3 };
const link = {
  releaseLinkId: 9,
  name: 'a',
  url: 'https://a.test',
  filepath: null,
  linkType: 'other' as const,
};

test('a tag has one release at a time', () => {
  const create = {
    ...{ type: 'CreateRelease' as const, ...ofTag, releaseId: 4, userId: 1, ...attributes },
    ...{ links: [], now: '2030-01-01T00:00:00.000Z', evidence: null },
  };
  given(releaseDecider, created).when(create).thenRejected('conflict');
  given(releaseDecider, created, deleted)
    .when(create)
    .thenEvents({ type: 'ReleaseCreated', data: { ...ids, releaseId: 4, userId: 1, ...attributes } });
});

test('evidence is due once, when the release is out', () => {
  given(releaseDecider, created).when(due('2030-01-01T23:59:59.999Z')).thenEvents();
  given(releaseDecider, created, collected).when(due('2030-01-03T00:00:00.000Z')).thenEvents();
  given(releaseDecider, created, deleted).when(due('2030-01-03T00:00:00.000Z')).thenEvents();
  given(releaseDecider, created)
    .when({ ...due('2030-01-03T00:00:00.000Z'), evidence: null })
    .thenEvents();
});

test('the deletion of a tag ends the release that it had, and no later one', () => {
  given(releaseDecider, created)
    .when(withTag)
    .thenEvents({ type: 'ReleaseDeleted', data: { ...ids, reason: 'tag_deleted' } });
  given(releaseDecider, created)
    .when({ ...withTag, releaseId: 2 })
    .thenEvents();
  given(releaseDecider, created, deleted).when(withTag).thenEvents();
});

test('a release has no more than 500 links', () => {
  const links = Array.from(
    { length: 500 },
    (_, n): ReleaseEvent => ({
      type: 'ReleaseLinkAdded',
      data: { ...ids, ...link, releaseLinkId: 10 + n, name: `n${n}`, url: `https://a.test/${n}` },
    }),
  );
  given(releaseDecider, created, ...links)
    .when({ type: 'AddReleaseLink', ...ofTag, link })
    .thenRejected('validation_failed', { message: { links: ['are too many (maximum is 500)'] } });
  given(releaseDecider, created, ...links.slice(1))
    .when({ type: 'AddReleaseLink', ...ofTag, link })
    .thenEvents({ type: 'ReleaseLinkAdded', data: { ...ids, ...link } });
});

test('a change of nothing is no event', () => {
  const nothing = { now: '2030-01-01T00:00:00.000Z', evidence: null };
  given(releaseDecider, created)
    .when({ type: 'UpdateRelease', ...ofTag, changes: { name: 'First' }, ...nothing })
    .thenEvents();
  given(releaseDecider, deleted)
    .when({ type: 'UpdateRelease', ...ofTag, changes: {}, ...nothing })
    .thenRejected('nothing_found');
});

test('a release is no larger than what an append holds with its evidence', () => {
  const update = (description: string) =>
    ({
      ...{ type: 'UpdateRelease' as const, ...ofTag, changes: { description } },
      ...{ now: '2030-01-01T00:00:00.000Z', evidence: null },
    }) as const;
  given(releaseDecider, created)
    .when(update('x'.repeat(300_000)))
    .thenRejected('too_large');
  // A control character takes seven bytes in a text within a text.
  given(releaseDecider, created)
    .when(update('\u0001'.repeat(50_000)))
    .thenRejected('too_large');
});

test('milestones are changed as a whole, and an empty list takes them away', () => {
  const update = (milestoneIds: number[] | undefined) => ({
    ...{ type: 'UpdateRelease' as const, ...ofTag, changes: { milestoneIds } },
    ...{ now: '2030-01-01T00:00:00.000Z', evidence: null },
  });
  const changed = (milestoneIds: number[]): ReleaseEvent => ({
    type: 'ReleaseUpdated',
    data: { ...ids, changes: { milestoneIds }, previous: { milestoneIds: [4] } },
  });
  given(releaseDecider, created)
    .when(update([5, 4]))
    .thenEvents(changed([5, 4]));
  given(releaseDecider, created).when(update([])).thenEvents(changed([]));
  given(releaseDecider, created)
    .when(update([4]))
    .thenEvents();
  given(releaseDecider, created).when(update(undefined)).thenEvents();
});
