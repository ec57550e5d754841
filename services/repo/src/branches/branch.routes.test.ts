import {
  createBranch,
  deleteBranch,
  deleteMergedBranches,
  getBranch,
  headBranch,
  listBranches,
} from '@forgelog/contracts/repo/branches/branch.api.ts';
import { PROJECT_ARCHIVED } from '@forgelog/contracts/repo/projects/project.events.ts';
import { ZERO_OID } from '@forgelog/git/objects/object-id.ts';
import { on } from '@forgelog/testing/sample-events.ts';
import { DEVELOPER, OUTSIDER, OWNER, REPORTER, team } from '@forgelog/testing/sample-team.ts';
import { expect, test } from 'vitest';
import { startRepoSlices } from '../testing/start-repo-slices.ts';
import { branchSlice } from './branch.slice.ts';

const topic = { id: 7, branch: 'topic/one' };
const main = { id: 7, branch: 'main' };
const namesOf = ({ body }: { body: { name: string }[] }) => body.map(({ name }) => name);

/** A project with one commit on `main`. */
async function started(more: typeof team = []) {
  const running = await startRepoSlices([branchSlice], [...team, ...more]);
  return { ...running, tip: await running.commit(7, 'main', { 'README.md': 'Hello' }, 'Begin') };
}

test('a developer creates, reads and deletes a branch', async () => {
  const { call, repo, tip } = await started();
  const ref = 'refs/heads/topic/one';
  const created = await call(createBranch, { ...topic, ref: 'main' }, DEVELOPER);
  expect(created).toMatchObject({
    status: 201,
    body: {
      name: 'topic/one',
      commit: { id: tip, title: 'Begin' },
      merged: true,
      default: false,
      protected: false,
      can_push: true,
      web_url: 'http://forgelog.test/user1/project7/-/tree/topic/one',
    },
    events: [
      { type: 'RefUpdated', data: { ref, oldOid: ZERO_OID, newOid: tip, via: 'api' } },
      { type: 'PushReceived' },
    ],
  });
  expect(await repo.repositories.of(7).readRef(ref)).toBe(tip);
  expect(await call(getBranch, topic, DEVELOPER)).toMatchObject({ status: 200, body: created.body });
  expect(await call(headBranch, topic, DEVELOPER)).toMatchObject({ status: 204, body: null });
  expect(await call(deleteBranch, topic, DEVELOPER)).toMatchObject({
    status: 204,
    events: [{ type: 'RefUpdated', data: { ref, oldOid: tip, newOid: ZERO_OID } }, { type: 'PushReceived' }],
  });
  expect(await repo.repositories.of(7).readRef(ref)).toBeUndefined();
  for (const endpoint of [getBranch, headBranch, deleteBranch])
    expect((await call(endpoint, topic, DEVELOPER)).status).toBe(404);
});

test('the first branch of an empty project begins the default one too', async () => {
  const { call } = await startRepoSlices([branchSlice], team);
  const first = await call(createBranch, { ...topic, ref: 'main' }, DEVELOPER);
  expect(first).toMatchObject({ status: 201, body: { commit: { title: 'Add README.md' } } });
  expect((await call(listBranches, { id: 7 }, REPORTER)).body).toMatchObject([
    { name: 'main', default: true, protected: true, commit: { id: first.body.commit.id } },
    { name: 'topic/one', default: false, protected: false },
  ]);
});

test('a list is searched, and comes in pages by name', async () => {
  const { call } = await started();
  for (const branch of ['feature', 'topic/one', 'topic/two'])
    await call(createBranch, { id: 7, branch, ref: 'main' }, OWNER);
  const found = async (filter: object) => namesOf(await call(listBranches, { id: 7, ...filter }, OWNER));
  expect(await found({})).toEqual(['feature', 'main', 'topic/one', 'topic/two']);
  expect(await found({ search: 'TOPIC' })).toEqual(['topic/one', 'topic/two']);
  expect(await found({ search: '^feat' })).toEqual(['feature']);
  expect(await found({ per_page: 1, page: 2 })).toEqual(['main']);
});

test('a reader is told what they may do with the default branch', async () => {
  const { call } = await started();
  expect((await call(getBranch, main, DEVELOPER)).body).toMatchObject({
    merged: false,
    protected: true,
    developers_can_push: true,
    developers_can_merge: true,
    can_push: true,
  });
  expect((await call(getBranch, main, REPORTER)).body).toMatchObject({ can_push: false });
});

test('merged branches are deleted at once, and neither others nor the default one', async () => {
  const { call, commit } = await started();
  for (const branch of ['merged', 'other']) await call(createBranch, { id: 7, branch, ref: 'main' }, OWNER);
  await commit(7, 'other', { a: '1' });
  expect(await call(deleteMergedBranches, { id: 7 }, DEVELOPER)).toMatchObject({
    status: 202,
    events: [{ data: { ref: 'refs/heads/merged', newOid: ZERO_OID } }, { type: 'PushReceived' }],
  });
  expect(namesOf(await call(listBranches, { id: 7 }, OWNER))).toEqual(['main', 'other']);
});

test('a reporter reads, nobody deletes the default branch, and others do not see the project', async () => {
  const { call } = await started();
  expect((await call(getBranch, main, REPORTER)).status).toBe(200);
  const refused = [];
  for (const caller of [REPORTER, OUTSIDER, null]) {
    refused.push(await call(createBranch, { ...topic, ref: 'main' }, caller));
    refused.push(await call(deleteBranch, main, caller));
    refused.push(await call(deleteMergedBranches, { id: 7 }, caller));
  }
  expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 404, 404, 404, 401, 401, 401]);
  refused.push(await call(deleteBranch, main, OWNER));
  expect(refused.at(-1)).toMatchObject({
    status: 403,
    body: { message: expect.stringContaining('The default branch cannot be deleted') },
  });
  expect((await call(getBranch, main, OUTSIDER)).status).toBe(404);
  expect(refused.flatMap(({ events }) => events)).toEqual([]);
});

test('an archived project keeps its branches as they are', async () => {
  const archived = on('project-7', { type: 'ProjectArchived', data: { projectId: 7, ...PROJECT_ARCHIVED } });
  const { call } = await started([archived]);
  expect(await call(createBranch, { ...topic, ref: 'main' }, OWNER)).toMatchObject({
    status: 403,
    events: [],
  });
  expect((await call(getBranch, main, OWNER)).body).toMatchObject({ can_push: false });
});

test('what is wrong is said, and no branch begins', async () => {
  const { call } = await started();
  for (const [params, body] of [
    [{}, { error: 'branch is missing, ref is missing' }],
    [{ branch: '', ref: 'main' }, { error: 'branch is empty' }],
    [{ branch: 'a..b', ref: 'main' }, { message: 'Branch name is invalid' }],
    [{ branch: 'x', ref: 'nothing' }, { message: 'Invalid reference name: nothing' }],
    [{ branch: 'main', ref: 'main' }, { message: 'Branch already exists' }],
    [{ branch: 'main/x', ref: 'main' }, { message: 'Another branch is in the way of this name' }],
  ] as const)
    expect(await call(createBranch, { id: 7, ...params }, OWNER)).toMatchObject({
      status: 400,
      body,
      events: [],
    });
  expect(await call(getBranch, { id: 7, branch: 'a..b' }, OWNER)).toMatchObject({
    status: 400,
    body: { message: 'The branch refname is invalid' },
  });
});
