import type { DomainEvent } from '@forgelog/contracts/event.ts';
import { openMemoryReadStore } from '@forgelog/eventing/adapters/memory/memory-read-store.ts';
import { applyTo, projected, recorded } from '@forgelog/eventing/testing/projecting.ts';
import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { projectCreated, projectDeleted } from '@forgelog/testing/sample-events.ts';
import { expect, test } from 'vitest';
import { projectGroups, projectIssues, projectStars, projects } from './project.collection.ts';
import { projectsProjection } from './projects.projection.ts';

const OID = 'a'.repeat(40);
const ZERO = '0'.repeat(40);

const inGroup = projectCreated(7).event;
const created: DomainEvent = {
  ...inGroup,
  data: { ...(inGroup.data as object), namespaceId: 3, ownerId: null },
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

const story: DomainEvent[] = [
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
const shown = async (...events: DomainEvent[]) =>
  (await givenEvents(projectsProjection, ...events).documents(projects))[0];

test('a new project is empty, and its settings are those that it began with', async () => {
  await givenEvents(projectsProjection, projectCreated(7).event).thenDocuments(projects, [
    {
      id: 7,
      namespaceId: 1001,
      ownerId: 1,
      ancestors: [],
      nameLower: 'project7',
      archived: false,
      gone: false,
      hasBranches: false,
      repositoryStorage: 'default',
      settings: {},
      issuesLevel: 'enabled',
      starCount: 0,
      createdAt: '2030-01-01T00:00:01.000Z',
      updatedAt: '2030-01-01T00:00:01.000Z',
      lastActivityAt: '2030-01-01T00:00:01.000Z',
    },
  ]);
});

test('the document shows what the events say', async () => {
  const given = givenEvents(projectsProjection, ...story);
  await given.thenDocuments(projects, [
    {
      ancestors: [2, 3],
      name: 'New',
      nameLower: 'new',
      topics: ['a'],
      archived: true,
      hasBranches: true,
      openIssues: 1,
      openPublicIssues: 1,
      repositorySize: 9,
      commitCount: 2,
      readmePath: 'README.md',
      starCount: 1,
      settings: { merge_method: 'ff', topics: ['a'] },
      defaultBranch: 'main',
    },
  ]);
  await given.thenDocuments(projectIssues, [{ id: 5, projectId: 7, open: true, confidential: false }]);
  await given.thenDocuments(projectGroups, [
    { id: 2, ancestors: [2] },
    { id: 3, ancestors: [2, 3] },
  ]);
  await given.thenDocuments(projectStars, [{ projectId: 7, userId: 2 }]);
});

test('applying each event twice changes nothing', async () => {
  for (let length = 1; length <= story.length; length++) {
    const events = story.slice(0, length).map((event, at) => recorded(at + 1, event));
    const once = openMemoryReadStore();
    await applyTo(once, projectsProjection, events);
    const { readStore: twice } = await projected(projectsProjection, events);
    for (const collection of projectsProjection.collections)
      expect(await twice.find(collection, { limit: 10 })).toEqual(await once.find(collection, { limit: 10 }));
  }
});

test('an unarchived project is as it was', async () => {
  const unarchived = { type: 'ProjectUnarchived', data: { projectId: 7 } };
  expect(await shown(...story, unarchived)).toMatchObject({ archived: false });
});

test('a branch that is deleted was there, and tags are no branches', async () => {
  expect(await shown(created, ref('refs/tags/v1', ZERO, OID))).toMatchObject({ hasBranches: false });
  expect(await shown(created, ref('refs/heads/a', ZERO, OID), ref('refs/heads/a', OID, ZERO))).toMatchObject({
    hasBranches: true,
  });
});

test('open issues are counted, and confidential ones apart', async () => {
  const counts = async (...events: DomainEvent[]) => {
    const project = await shown(created, issue('IssueOpened', { confidential: true }), ...events);
    return [project!.openIssues, project!.openPublicIssues];
  };
  expect(await counts()).toEqual([1, 0]);
  expect(await counts(issue('IssueUpdated', { changes: { confidential: false } }))).toEqual([1, 1]);
  expect(await counts(issue('IssueClosed', { closedById: 1 }))).toEqual([0, 0]);
  expect(await counts(issue('IssueDeleted'))).toEqual([0, 0]);
});

test('activity is rounded to a minute', async () => {
  const at = async (...events: (readonly [seconds: number, DomainEvent])[]) => {
    const all = [[0, created] as const, ...events].map(([seconds, event]) => recorded(seconds, event));
    return (await (await projected(projectsProjection, all)).all(projects))[0]!.lastActivityAt;
  };
  const move = ref('refs/heads/main', OID, OID);
  expect(await at([59, move])).toBe('2030-01-01T00:00:00.000Z');
  expect(await at([60, move], [90, move])).toBe('2030-01-01T00:01:00.000Z');
  expect(await at([120, issue('IssueOpened', { confidential: false })])).toBe('2030-01-01T00:02:00.000Z');
});

test('deleting a parent namespace hides the project, and deleting the project removes its issues and stars', async () => {
  const groupDeleted = { type: 'GroupDeleted', data: { groupId: 2 } };
  expect(await shown(...story, groupDeleted)).toMatchObject({ gone: true });
  const left = givenEvents(projectsProjection, ...story, projectDeleted(7).event);
  for (const collection of [projects, projectIssues, projectStars]) await left.thenDocuments(collection, []);
});

test('a deleted user takes their stars, and hides the projects of their namespace', async () => {
  const star = { type: 'ProjectStarred', data: { projectId: 7, userId: 1 } };
  const userDeleted = { type: 'UserDeleted', data: { userId: 1, namespaceId: 1001 } };
  const given = givenEvents(projectsProjection, created, projectCreated(8).event, star, userDeleted);
  await given.thenDocuments(projects, [
    { id: 7, gone: false, starCount: 0 },
    { id: 8, gone: true },
  ]);
  await given.thenDocuments(projectStars, []);
});

const forkOf = (projectId: number, forkedFromProjectId: number): DomainEvent => {
  const { type, data } = projectCreated(projectId).event;
  return { type, data: { ...(data as object), forkedFromProjectId, forkedAtRevision: 0 } };
};
const linked = (forkedFromProjectId: number | null) => ({
  type: 'ProjectUpdated',
  data: { projectId: 8, changes: { forkedFromProjectId } },
});

test('forks are counted with their origin, however often an event is applied', async () => {
  const forks: DomainEvent[] = [
    ...[created, projectCreated(6).event, forkOf(8, 7), forkOf(9, 7)],
    { type: 'RepositoryForked', data: { projectId: 8, forkedFromProjectId: 7, refCount: 0 } },
    ...[linked(6), linked(null), linked(7), projectDeleted(9).event],
  ];
  const counted = async (length: number) => {
    const events = forks.slice(0, length).map((event, at) => recorded(at + 1, event));
    const once = openMemoryReadStore();
    await applyTo(once, projectsProjection, events);
    const { readStore: twice } = await projected(projectsProjection, events);
    const found = await twice.find(projects, { limit: 10 });
    expect(found).toEqual(await once.find(projects, { limit: 10 }));
    const countOf = (id: number) => found.find((project) => project.id === id)?.forksCount;
    return [countOf(7), countOf(6)];
  };
  expect(await counted(4)).toEqual([2, 0]);
  expect(await counted(6)).toEqual([1, 1]);
  expect(await counted(7)).toEqual([1, 0]);
  expect(await counted(9)).toEqual([1, 0]);
});

test('a fork is finished with its last ref, and forgets an origin that is deleted', async () => {
  const done = { type: 'RepositoryForked', data: { projectId: 8, forkedFromProjectId: 7, refCount: 0 } };
  const given = [created, forkOf(8, 7)];
  const fork = async (...events: DomainEvent[]) =>
    (await givenEvents(projectsProjection, ...given, ...events).documents(projects)).find(
      ({ id }) => id === 8,
    );
  expect(await fork()).toMatchObject({ importStatus: 'started', forkedFromId: 7 });
  expect(await fork(done, projectDeleted(7).event)).toMatchObject({
    importStatus: 'finished',
    forkedFromId: null,
  });
});

test('projects go with a group that moves, and are no more open than it', async () => {
  const moved = (changes: object) => ({
    type: 'GroupTransferred',
    data: { groupId: 3, fullPath: 'x', changes, previous: null },
  });
  const open = updated({ visibility: 'public' });
  const given = [group(2, null), group(3, 2), group(4, 3), group(5, null), created, open];
  const there = givenEvents(projectsProjection, ...given, moved({ parentId: 5, visibility: 'internal' }));
  await there.thenDocuments(projects, [{ ancestors: [5, 3], visibility: 'internal' }]);
  await there.thenDocuments(projectGroups, [
    ...[{ ancestors: [2] }, { ancestors: [5, 3] }, { ancestors: [5, 3, 4] }, { ancestors: [5] }],
  ]);
  const atTop = givenEvents(projectsProjection, ...given, moved({ parentId: null }));
  await atTop.thenDocuments(projects, [{ ancestors: [3], visibility: 'public' }]);
});
