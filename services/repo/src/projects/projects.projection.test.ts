import type { DomainEvent } from '@forgelog/contracts/event.ts';
import { openMemoryReadStore } from '@forgelog/eventing/adapters/memory/memory-read-store.ts';
import { type RecordedEvent, SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { ProjectionBatch } from '@forgelog/eventing/projection-batch.ts';
import { expect, test } from 'vitest';
import { projectIssues, projects } from './project.collection.ts';
import { projectsProjection } from './projects.projection.ts';

const BEGIN = Date.parse('2021-08-01T10:00:00Z');
const OID = 'a'.repeat(40);
const ZERO = '0'.repeat(40);

/** Applies events in order, by default a second apart, each `times` times. */
async function given(times: number, ...events: (DomainEvent & { seconds?: number })[]) {
  const store = openMemoryReadStore();
  await store.declare(projectsProjection.collections);
  let position = 0;
  for (const [at, { type, data, seconds = at }] of events.entries()) {
    for (let time = 0; time < times; time++) {
      const event: RecordedEvent = {
        id: `event-${at}`,
        type,
        data,
        schemaVersion: 1,
        time: new Date(BEGIN + seconds * 1000).toISOString(),
        metadata: SYSTEM_METADATA,
        stream: 'x',
        revision: at,
        position: String(++position).padStart(16, '0'),
      };
      const batch = new ProjectionBatch(projectsProjection, store);
      batch.begin(event.position);
      await projectsProjection.project(event, batch.documents);
      await store.write({ changes: batch.changes(), checkpoints: new Map() });
    }
  }
  return {
    projects: await store.find(projects, { limit: 10 }),
    issues: await store.find(projectIssues, { limit: 10 }),
  };
}

const created = {
  type: 'ProjectCreated',
  data: {
    projectId: 7,
    namespaceId: 3,
    ownerId: null,
    creatorId: 1,
    name: 'Name',
    path: 'Path',
    fullPath: 'group/Path',
    description: null,
    visibility: 'private',
    defaultBranch: null,
    storage: 'default',
    settings: {},
  },
};
const updated = (changes: object) => ({ type: 'ProjectUpdated', data: { projectId: 7, changes } });
const ref = (name: string, oldOid: string, newOid: string) => ({
  type: 'RefUpdated',
  data: {
    projectId: 7,
    ref: name,
    oldOid,
    newOid,
    via: 'push',
    commitCount: 1,
    commitTitle: 'x',
    pushOptions: [],
  },
});
const group = (groupId: number, parentId: number | null) => ({
  type: 'GroupCreated',
  data: {
    groupId,
    parentId,
    name: 'g',
    path: 'g',
    fullPath: 'g',
    description: '',
    visibility: 'private',
    creatorId: null,
    settings: {},
  },
});
const issue = (type: string, more: object = {}) => ({
  type,
  data: { issueId: 5, projectId: 7, iid: 1, ...more },
});

const story = [
  group(2, null),
  group(3, 2),
  created,
  updated({ name: 'New', settings: { merge_method: 'ff', topics: ['a'] } }),
  ref('refs/heads/main', ZERO, OID),
  updated({ defaultBranch: 'main' }),
  {
    type: 'RepositoryMeasured',
    data: { projectId: 7, repositorySize: 9, commitCount: 2, readmePath: 'README.md' },
  },
  issue('IssueOpened', { confidential: true }),
  issue('IssueUpdated', { changes: { confidential: false } }),
  issue('IssueClosed', { closedById: 1 }),
  issue('IssueReopened'),
  { type: 'ProjectStarred', data: { projectId: 7, userId: 1 } },
  { type: 'ProjectStarred', data: { projectId: 7, userId: 2 } },
  { type: 'ProjectUnstarred', data: { projectId: 7, userId: 1 } },
  { type: 'ProjectArchived', data: { projectId: 7 } },
];

test('the document shows what the events say', async () => {
  const {
    projects: [project],
    issues,
  } = await given(1, ...story);
  expect(project).toMatchObject({
    ancestors: [2, 3],
    name: 'New',
    nameLower: 'new',
    topics: ['a'],
    archived: true,
    hasBranches: true,
    openIssues: 1,
    openPublicIssues: 1,
    commitCount: 2,
    starCount: 1,
  });
  expect(project).toMatchObject({ settings: { merge_method: 'ff' }, defaultBranch: 'main' });
  expect(project).toMatchObject({ readmePath: 'README.md' });
  expect(issues).toEqual([{ id: 5, projectId: 7, open: true, confidential: false }]);
});

test('applying each event twice changes nothing', async () => {
  for (let length = 1; length <= story.length; length++) {
    const some = story.slice(0, length);
    expect(await given(2, ...some)).toEqual(await given(1, ...some));
  }
});

test('activity is rounded to a minute', async () => {
  const later = (seconds: number) => ({ ...ref('refs/heads/main', OID, OID), seconds });
  const at = async (...events: DomainEvent[]) =>
    (await given(1, created, ...events)).projects[0]!.lastActivityAt;
  expect(await at(later(59))).toBe('2021-08-01T10:00:00.000Z');
  expect(await at(later(60), later(90))).toBe('2021-08-01T10:01:00.000Z');
  expect(await at({ ...issue('IssueOpened', { confidential: false }), seconds: 120 } as DomainEvent)).toBe(
    '2021-08-01T10:02:00.000Z',
  );
});

test('deleting a parent namespace hides the project, and deleting the project removes its issues', async () => {
  const hidden = await given(1, ...story, { type: 'GroupDeleted', data: { groupId: 2 } });
  expect(hidden.projects[0]!.gone).toBe(true);
  const left = await given(1, ...story, { type: 'ProjectDeleted', data: { projectId: 7 } });
  expect(left).toEqual({ projects: [], issues: [] });
});
