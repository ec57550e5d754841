import { execFileSync } from 'node:child_process';
import {
  compareRefs,
  getArchive,
  getArchiveOfFormat,
  getBlob,
  getMergeBase,
  getRawBlob,
  getTree,
  listContributors,
} from '@forgelog/contracts/repo/repositories/repository.api.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { ZERO_OID } from '@forgelog/git/objects/object-id.ts';
import { memberAdded, projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { expect, test } from 'vitest';
import { SAMPLE_AUTHOR, startRepoSlices } from '../testing/start-repo-slices.ts';
import { repositoryContentSlice } from './repository-content.slice.ts';

const OWNER = 1;
const GUEST = 2;
const REPORTER = 3;
const OUTSIDER = 4;
const given = [
  ...[OWNER, GUEST, REPORTER, OUTSIDER].map((id) => userCreated(id)),
  projectCreated(7),
  projectCreated(8),
  memberAdded(7, GUEST, 10),
  memberAdded(7, REPORTER, 20),
  memberAdded(8, REPORTER, 10),
];

/** A project whose branches `main` and `topic` have a commit in common and one each. */
async function started() {
  const running = await startRepoSlices([repositoryContentSlice], given);
  const { repo, commit } = running;
  const base = await commit(7, 'main', { 'docs/a.txt': 'a\n', 'b.txt': 'b\n' }, 'Begin');
  const update = { ref: 'refs/heads/topic', oldOid: ZERO_OID, newOid: base };
  await repo.repositories.moveRefs(7, [update], SYSTEM_METADATA, 'api');
  const main = await commit(7, 'main', { 'b.txt': 'B\n' }, 'On main');
  const topic = await commit(7, 'topic', { 'c.txt': 'c\n' }, 'On topic');
  return { ...running, base, main, topic };
}

/** Names of what is in a tarball. */
function packed(archive: Buffer, ...options: string[]): string[] {
  const listing = execFileSync('tar', ['-t', ...options], { input: archive, encoding: 'utf8' });
  return listing.trim().split('\n');
}

test('a tree lists folders before files, page by page', async () => {
  const { call } = await started();
  const paths = async (filter: object) =>
    (await call(getTree, { id: 7, ...filter }, REPORTER)).body.map(({ path }: { path: string }) => path);
  expect(await paths({})).toEqual(['docs', 'b.txt']);
  expect(await paths({ ref: 'topic' })).toEqual(['docs', 'b.txt', 'c.txt']);
  expect(await paths({ path: 'docs' })).toEqual(['docs/a.txt']);
  expect((await paths({ recursive: true })).toSorted()).toEqual(['b.txt', 'docs', 'docs/a.txt']);
  expect(await paths({ per_page: 1, page: 2 })).toEqual(['b.txt']);
  for (const filter of [{ path: 'nothing' }, { ref: 'nothing' }])
    expect(await call(getTree, { id: 7, ...filter }, REPORTER)).toMatchObject({
      status: 404,
      body: { message: '404 Tree Not Found' },
    });
});

test('a blob is read by its id, as JSON and as it is', async () => {
  const { call } = await started();
  const [, entry] = (await call(getTree, { id: 7 }, REPORTER)).body;
  expect(Object.keys(entry)).toEqual(['id', 'name', 'type', 'path', 'mode']);
  const one = { id: 7, sha: entry.id };
  expect(await call(getBlob, one, REPORTER)).toMatchObject({
    status: 200,
    body: { size: 2, encoding: 'base64', content: 'Qgo=', sha: entry.id },
  });
  const raw = await call(getRawBlob, one, REPORTER);
  expect(raw).toMatchObject({ status: 200, headers: { etag: `"${entry.id}"` } });
  expect(String(raw.body)).toBe('B\n');
  for (const sha of ['f'.repeat(40), 'main'])
    for (const endpoint of [getBlob, getRawBlob])
      expect(await call(endpoint, { id: 7, sha }, REPORTER)).toMatchObject({
        status: 404,
        body: { message: '404 Blob Not Found' },
      });
});

test('an archive packs the files of a commit into a folder of its name', async () => {
  const { call, main, topic } = await started();
  const folder = `project7-main-${main}`;
  const whole = await call(getArchive, { id: 7 }, REPORTER);
  expect(whole).toMatchObject({
    status: 200,
    headers: {
      'content-type': 'application/gzip',
      'content-disposition': expect.stringContaining(`attachment; filename="${folder}.tar.gz"`),
    },
  });
  const files = ['', 'b.txt', 'docs/', 'docs/a.txt'].map((path) => `${folder}/${path}`);
  expect(packed(whole.body, '-z').toSorted()).toEqual(files);
  const part = await call(getArchiveOfFormat, { id: 7, format: 'tar', sha: topic, path: 'docs' }, REPORTER);
  expect(part.headers['content-type']).toBe('application/x-tar');
  expect(packed(part.body)).toContain(`project7-${topic}/docs/a.txt`);
  expect(packed(part.body)).not.toContain(`project7-${topic}/c.txt`);
  for (const filter of [{ sha: 'nothing' }, { path: 'nothing' }])
    expect((await call(getArchive, { id: 7, ...filter }, REPORTER)).status).toBe(404);
  expect((await call(getArchiveOfFormat, { id: 7, format: 'rar' }, REPORTER)).status).toBe(404);
});

test('a comparison is with the common ancestor, or straight', async () => {
  const { call } = await started();
  const compare = (more: object = {}) =>
    call(compareRefs, { id: 7, from: 'main', to: 'topic', ...more }, REPORTER);
  const pathsOf = ({ body }: { body: { diffs: { new_path: string }[] } }) =>
    body.diffs.map(({ new_path }) => new_path);
  const reply = await compare();
  expect(reply).toMatchObject({
    status: 200,
    body: { commit: { title: 'On topic' }, commits: [{ title: 'On topic' }], compare_same_ref: false },
  });
  expect(pathsOf(reply)).toEqual(['c.txt']);
  expect(pathsOf(await compare({ straight: true }))).toEqual(['b.txt', 'c.txt']);
  expect((await compare({ to: 'main' })).body).toMatchObject({
    commit: null,
    diffs: [],
    compare_same_ref: true,
  });
  expect(await compare({ to: '' })).toMatchObject({ status: 400, body: { error: 'to is empty' } });
  expect(await compare({ to: 'nothing' })).toMatchObject({
    status: 404,
    body: { message: '404 Ref Not Found' },
  });
});

test('a comparison with another project is for those who may read its repository', async () => {
  const { call, commit } = await started();
  await commit(8, 'main', { 'b.txt': 'elsewhere\n' });
  const across = { id: 7, from: 'main', to: 'main', from_project_id: 8 };
  expect((await call(compareRefs, across, OWNER)).body.commits).toHaveLength(2);
  expect(await call(compareRefs, across, REPORTER)).toMatchObject({
    status: 404,
    body: { message: '404 Project Not Found' },
  });
});

test('contributors are counted on the default branch', async () => {
  const { call } = await started();
  expect((await call(listContributors, { id: 7 }, REPORTER)).body).toEqual([
    { ...SAMPLE_AUTHOR, commits: 2, additions: 0, deletions: 0 },
  ]);
  const [contributor] = (await call(listContributors, { id: 7 }, REPORTER)).body;
  expect(Object.keys(contributor)).toEqual(['name', 'email', 'commits', 'additions', 'deletions']);
  expect((await call(listContributors, { id: 8 }, OWNER)).body).toEqual([]);
  expect((await call(listContributors, { id: 7, order_by: 'luck' }, REPORTER)).status).toBe(400);
});

test('a merge base is the best common ancestor', async () => {
  const { call, base, commit } = await started();
  const between = (...refs: string[]) => call(getMergeBase, { id: 7, refs: refs.join() }, REPORTER);
  expect(await between('main', 'topic')).toMatchObject({ status: 200, body: { id: base, title: 'Begin' } });
  expect(await between('main')).toMatchObject({ status: 400, body: { message: 'Provide at least 2 refs' } });
  expect(await between('main', 'x', 'y')).toMatchObject({
    status: 400,
    body: { message: 'Could not find refs: x, y' },
  });
  await commit(7, 'apart', { 'z.txt': '' }, 'Apart');
  expect((await between('main', 'apart')).status).toBe(404);
});

test('a guest reads nothing of a private repository, and others do not see the project', async () => {
  const { call, main } = await started();
  for (const [endpoint, params] of [
    [getTree, {}],
    [getBlob, { sha: main }],
    [getRawBlob, { sha: main }],
    [getArchive, {}],
    [getArchiveOfFormat, { format: 'tar' }],
    [compareRefs, { from: 'main', to: 'topic' }],
    [listContributors, {}],
    [getMergeBase, { refs: 'main,topic' }],
  ] as const) {
    const replies = [];
    for (const caller of [GUEST, OUTSIDER, null])
      replies.push(await call(endpoint, { id: 7, ...params }, caller));
    expect([endpoint.id, ...replies.map(({ status }) => status)]).toEqual([endpoint.id, 403, 404, 404]);
  }
});
