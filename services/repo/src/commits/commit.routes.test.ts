import {
  createCommit,
  getCommit,
  getCommitDiff,
  listCommitRefs,
  listCommits,
} from '@forgelog/contracts/repo/commits/commit.api.ts';
import { ZERO_OID } from '@forgelog/git/objects/object-id.ts';
import { memberAdded, projectCreated } from '@forgelog/testing/sample-events.ts';
import { DEVELOPER, OUTSIDER, OWNER, REPORTER, team } from '@forgelog/testing/sample-team.ts';
import { expect, test } from 'vitest';
import { SAMPLE_AUTHOR, startRepoSlices } from '../testing/start-repo-slices.ts';
import { commitSlice } from './commit.slice.ts';

const given = [...team, projectCreated(8), memberAdded(8, DEVELOPER, 10)];
const write = (path: string, content = path) => ({ action: 'create', file_path: path, content });
const change = (actions: object[], more: object = {}) => ({
  id: 7,
  branch: 'main',
  commit_message: 'Change',
  actions,
  ...more,
});
const titlesOf = ({ body }: { body: { title: string }[] }) => body.map(({ title }) => title);

/** A project with two commits on `main`, a day apart. */
async function started() {
  let now = Date.parse('2030-01-01T00:00:00Z');
  const running = await startRepoSlices([commitSlice], given, () => new Date(now));
  const first = await running.commit(7, 'main', { a: '1\n2\n' }, 'Begin');
  now += 86_400_000;
  const second = await running.commit(7, 'main', { a: '1\n3\n4\n', b: '' }, 'Go on\n\nReviewed-by: Bo\n');
  return { ...running, first, second };
}

test('a developer commits several changes at once', async () => {
  const { call, repo, second } = await started();
  const actions = [
    { ...write('docs/c', 'Yw=='), encoding: 'base64' },
    { action: 'move', previous_path: 'a', file_path: 'd' },
    { action: 'delete', file_path: 'b' },
  ];
  const reply = await call(createCommit, change(actions), DEVELOPER);
  expect(reply).toMatchObject({
    status: 201,
    body: {
      title: 'Change',
      parent_ids: [second],
      author_name: 'User 2',
      committer_email: 'user2@example.org',
      stats: { additions: 1, deletions: 0, total: 1 },
      project_id: 7,
    },
    events: [
      {
        type: 'RefUpdated',
        data: { ref: 'refs/heads/main', oldOid: second, newOid: reply.body.id, commitTitle: 'Change' },
      },
      {
        type: 'PushReceived',
        data: {
          ...{ via: 'api', refCount: 1, commitCount: 1, commitCountIsLowerBound: false },
          refs: [{ ref: 'refs/heads/main', kind: 'branch', change: 'moved', forced: false }],
          ...{ authors: [{ utcOffset: '+00:00', commits: 1 }], authorsAreComplete: true },
        },
      },
    ],
  });
  const repository = repo.repositories.of(7);
  expect(String((await repository.file(reply.body.id, 'docs/c', 10))?.content)).toBe('c');
  const tree = await repository.tree(reply.body.id, { recursive: true, limit: 10 });
  expect(
    tree?.entries
      .filter(({ type }) => type === 'blob')
      .map(({ path }) => path)
      .sort(),
  ).toEqual(['d', 'docs/c']);
});

test('the first commit of an empty project chooses its default branch', async () => {
  const { call } = await started();
  const wanted = { ...change([write('x')]), id: 8, branch: 'trunk', author_name: 'Else' };
  expect(await call(createCommit, wanted, OWNER)).toMatchObject({
    status: 201,
    body: { parent_ids: [], author_name: 'Else', committer_name: 'User 1' },
    events: [
      { type: 'RefUpdated', data: { ref: 'refs/heads/trunk', oldOid: ZERO_OID } },
      { type: 'PushReceived' },
      { type: 'ProjectUpdated', data: { changes: { defaultBranch: 'trunk' } } },
    ],
  });
});

test('a new branch begins where the caller says, in another project too', async () => {
  const { call, first } = await started();
  const topic = change([write('x')], { branch: 'topic', start_sha: first });
  expect(await call(createCommit, topic, DEVELOPER)).toMatchObject({
    status: 201,
    body: { parent_ids: [first] },
  });
  const copied = { ...change([write('y')]), id: 8, branch: 'copy', start_project: '7', start_sha: first };
  expect(await call(createCommit, copied, OWNER)).toMatchObject({
    status: 201,
    body: { parent_ids: [first] },
  });
});

test('what cannot be committed is refused, and the branch stays', async () => {
  const { call, first, second, repo } = await started();
  for (const [params, body] of [
    [change([]), { error: 'actions is empty' }],
    [change([write('x')], { commit_message: '' }), { error: 'commit_message is empty' }],
    [change([write('x')], { branch: 'nothing' }), { message: expect.stringContaining('on a branch') }],
    [
      change([write('x')], { start_sha: first }),
      { message: expect.stringContaining("A branch called 'main' already exists") },
    ],
    [change([write('a')]), { message: 'A file with this name already exists' }],
    [change([{ action: 'delete', file_path: 'x' }]), { message: "A file with this name doesn't exist" }],
    [
      change([{ action: 'update', file_path: 'a', content: 'x', last_commit_id: first }]),
      { message: expect.stringContaining('has changed since you started editing it') },
    ],
  ] as const)
    expect(await call(createCommit, params, DEVELOPER)).toMatchObject({ status: 400, body, events: [] });
  expect(await repo.repositories.of(7).readRef('refs/heads/main')).toBe(second);
});

test('a maintainer alone lets the default branch begin anew', async () => {
  const { call, first } = await started();
  const anew = change([write('x')], { start_sha: first, force: true });
  expect(await call(createCommit, anew, DEVELOPER)).toMatchObject({ status: 403, events: [] });
  expect(await call(createCommit, anew, OWNER)).toMatchObject({ status: 201, body: { parent_ids: [first] } });
});

test('a reporter reads, and others do not see the project', async () => {
  const { call } = await started();
  expect((await call(listCommits, { id: 7 }, REPORTER)).body).toHaveLength(2);
  const refused = [];
  for (const caller of [REPORTER, OUTSIDER, null])
    refused.push(await call(createCommit, change([write('x')]), caller));
  expect(refused.map(({ status }) => status)).toEqual([403, 404, 401]);
  expect(refused.flatMap(({ events }) => events)).toEqual([]);
  for (const endpoint of [getCommit, getCommitDiff, listCommitRefs])
    expect((await call(endpoint, { id: 7, sha: 'main' }, OUTSIDER)).status).toBe(404);
});

test('a branch begins in no project whose repository the caller may not read', async () => {
  const { call, commit } = await started();
  await commit(8, 'main', { secret: '' });
  for (const start_project of ['8', 'user1/project8', '99']) {
    const elsewhere = change([write('x')], { branch: 'topic', start_project, start_branch: 'main' });
    expect(await call(createCommit, elsewhere, DEVELOPER)).toMatchObject({
      status: 404,
      body: { message: '404 Project Not Found' },
      events: [],
    });
  }
});

test('a commit is found by its id, an abbreviation of it or a branch', async () => {
  const { call, first, second } = await started();
  const byBranch = await call(getCommit, { id: 7, sha: 'main' }, REPORTER);
  expect(byBranch.body).toMatchObject({
    id: second,
    short_id: second.slice(0, 8),
    title: 'Go on',
    author_email: SAMPLE_AUTHOR.email,
    parent_ids: [first],
    web_url: `http://forgelog.test/user1/project7/-/commit/${second}`,
    stats: { additions: 2, deletions: 1, total: 3 },
  });
  for (const sha of [second, second.slice(0, 10)])
    expect((await call(getCommit, { id: 7, sha }, REPORTER)).body).toEqual(byBranch.body);
  expect((await call(getCommit, { id: 7, sha: 'main', stats: false }, REPORTER)).body).not.toHaveProperty(
    'stats',
  );
  expect(await call(getCommit, { id: 7, sha: 'f'.repeat(40) }, REPORTER)).toMatchObject({
    status: 404,
    body: { message: '404 Commit Not Found' },
  });
});

test('a list is filtered by path, time, author and range', async () => {
  const { call, first } = await started();
  const found = async (filter: object) => titlesOf(await call(listCommits, { id: 7, ...filter }, REPORTER));
  expect(await found({})).toEqual(['Go on', 'Begin']);
  expect(await found({ path: 'b' })).toEqual(['Go on']);
  expect(await found({ until: '2030-01-01T12:00:00Z' })).toEqual(['Begin']);
  expect(await found({ since: '2030-01-01T12:00:00Z' })).toEqual(['Go on']);
  expect(await found({ author: 'nobody' })).toEqual([]);
  expect(await found({ ref_name: `${first}..main` })).toEqual(['Go on']);
  expect(await found({ per_page: 1, page: 2 })).toEqual(['Begin']);
  const trailers = await call(listCommits, { id: 7, trailers: true, with_stats: true }, REPORTER);
  expect(trailers.body[0]).toMatchObject({ trailers: { 'Reviewed-by': 'Bo' }, stats: { total: 3 } });
  expect((await call(listCommits, { id: 7, ref_name: 'nothing' }, REPORTER)).status).toBe(404);
});

test('a commit says what it changed and which refs hold it', async () => {
  const { call, commit, first, second } = await started();
  expect((await call(getCommitDiff, { id: 7, sha: second }, REPORTER)).body).toMatchObject([
    { old_path: 'a', new_path: 'a', new_file: false, diff: '@@ -1,2 +1,3 @@\n 1\n-2\n+3\n+4\n' },
    { new_path: 'b', new_file: true, diff: '' },
  ]);
  await commit(7, 'other', { z: '' });
  const refsOf = async (sha: string, more = {}) =>
    (await call(listCommitRefs, { id: 7, sha, ...more }, REPORTER)).body;
  expect(await refsOf(first)).toEqual([{ type: 'branch', name: 'main' }]);
  expect(await refsOf('other', { type: 'branch' })).toEqual([{ type: 'branch', name: 'other' }]);
  expect(await refsOf(first, { type: 'tag' })).toEqual([]);
});
