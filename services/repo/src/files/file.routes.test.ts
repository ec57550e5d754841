import { createHash } from 'node:crypto';
import {
  createFile,
  deleteFile,
  getFile,
  getFileBlame,
  getRawFile,
  getRawFileAt,
  headFile,
  headFileBlame,
  headRawFile,
  updateFile,
} from '@forgelog/contracts/repo/files/file.api.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { DEVELOPER, OUTSIDER, REPORTER, team } from '@forgelog/testing/sample-team.ts';
import { expect, test } from 'vitest';
import { SAMPLE_AUTHOR, startRepoSlices } from '../testing/start-repo-slices.ts';
import { fileSlice } from './file.slice.ts';

const read = { id: 7, file_path: 'docs/a.txt', ref: 'main' };
const written = { id: 7, file_path: 'docs/new.txt', branch: 'main', commit_message: 'Change', content: 'x' };
const READS = [getFile, headFile, getFileBlame, headFileBlame, getRawFile, headRawFile];

/** A project with a file of two commits on `main`, and another commit after them. */
async function started() {
  const running = await startRepoSlices([fileSlice], team);
  const first = await running.commit(7, 'main', { 'docs/a.txt': 'one\ntwo\n' }, 'Begin');
  const second = await running.commit(7, 'main', { 'docs/a.txt': 'one\n2\n' }, 'Go on');
  const tip = await running.commit(7, 'main', { b: '' });
  return { ...running, first, second, tip };
}

test('a developer commits a file, changes it and deletes it', async () => {
  const { call, repo, tip } = await started();
  const content = async () => {
    const repository = repo.repositories.of(7);
    const main = await repository.readRef('refs/heads/main');
    return (await repository.file(main!, 'docs/new.txt', 100))?.content.toString();
  };
  const answer = { file_path: 'docs/new.txt', branch: 'main' };
  expect(await call(createFile, written, DEVELOPER)).toMatchObject({
    status: 201,
    body: answer,
    events: [
      { type: 'RefUpdated', data: { ref: 'refs/heads/main', oldOid: tip, commitTitle: 'Change' } },
      { type: 'PushReceived' },
    ],
  });
  expect(await content()).toBe('x');
  const encoded = { ...written, content: 'eQ==', encoding: 'base64' };
  expect(await call(updateFile, encoded, DEVELOPER)).toMatchObject({
    status: 200,
    body: answer,
    events: [{ type: 'RefUpdated' }, { type: 'PushReceived' }],
  });
  expect(await content()).toBe('y');
  const { content: _, ...deletion } = written;
  expect(await call(deleteFile, deletion, DEVELOPER)).toMatchObject({
    status: 204,
    body: null,
    events: [{ type: 'RefUpdated' }, { type: 'PushReceived' }],
  });
  expect(await content()).toBeUndefined();
});

test('a file is read with its content, and described in headers', async () => {
  const { call, second, tip } = await started();
  const reply = await call(getFile, read, REPORTER);
  const sha256 = createHash('sha256').update('one\n2\n').digest('hex');
  expect(reply).toMatchObject({
    status: 200,
    body: {
      file_name: 'a.txt',
      file_path: 'docs/a.txt',
      size: 6,
      encoding: 'base64',
      content: Buffer.from('one\n2\n').toString('base64'),
      content_sha256: sha256,
      ref: 'main',
      commit_id: tip,
      last_commit_id: second,
    },
  });
  const described = {
    'x-service-blob-id': reply.body.blob_id,
    'x-service-content-sha256': sha256,
    'x-service-file-path': 'docs/a.txt',
    'x-service-last-commit-id': second,
    'x-service-size': '6',
  };
  expect(reply.headers).toMatchObject(described);
  for (const endpoint of [headFile, headFileBlame, headRawFile])
    expect(await call(endpoint, read, REPORTER)).toMatchObject({
      status: 200,
      body: null,
      headers: described,
    });
});

test('raw content is the bytes, of the default branch where none is named', async () => {
  const { call, first } = await started();
  const { ref: _, ...ofDefault } = read;
  const reply = await call(getRawFile, ofDefault, REPORTER);
  expect(reply).toMatchObject({
    status: 200,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': expect.stringMatching(/^inline; filename="a.txt"/),
      'x-content-type-options': 'nosniff',
    },
  });
  expect(String(reply.body)).toBe('one\n2\n');
  expect(String((await call(getRawFile, { ...read, ref: first }, REPORTER)).body)).toBe('one\ntwo\n');
});

test('blame says which commit each line comes from', async () => {
  const { call, first, second } = await started();
  expect((await call(getFileBlame, read, REPORTER)).body).toMatchObject([
    { commit: { id: first, message: 'Begin', author_email: SAMPLE_AUTHOR.email }, lines: ['one'] },
    { commit: { id: second, parent_ids: [first] }, lines: ['2'] },
  ]);
});

test('a reporter commits nothing, and others do not see the project', async () => {
  const { call } = await started();
  const refused = [];
  for (const caller of [REPORTER, OUTSIDER, null])
    for (const endpoint of [createFile, updateFile, deleteFile])
      refused.push(await call(endpoint, written, caller));
  expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 404, 404, 404, 401, 401, 401]);
  expect(refused.flatMap(({ events }) => events)).toEqual([]);
  for (const endpoint of READS) expect((await call(endpoint, read, OUTSIDER)).status).toBe(404);
});

test('what is not there is not found, and a ref that must be named is asked for', async () => {
  const { call } = await started();
  for (const endpoint of READS) {
    expect((await call(endpoint, { ...read, file_path: 'nothing' }, REPORTER)).status).toBe(404);
    expect((await call(endpoint, { ...read, file_path: 'docs' }, REPORTER)).status).toBe(404);
    expect((await call(endpoint, { ...read, ref: 'nothing' }, REPORTER)).status).toBe(404);
  }
  const { ref: _, ...unnamed } = read;
  expect(await call(getFile, unnamed, REPORTER)).toMatchObject({
    status: 400,
    body: { error: 'ref is missing' },
  });
});

test('what cannot be committed is refused', async () => {
  const { call, first } = await started();
  const there = { ...written, file_path: 'docs/a.txt' };
  for (const [endpoint, params, body] of [
    [createFile, { ...written, branch: '' }, { error: 'branch is empty' }],
    [createFile, { ...written, encoding: 'rot13' }, { error: 'encoding does not have a valid value' }],
    [createFile, there, { message: 'A file with this name already exists' }],
    [createFile, { ...written, branch: 'nothing' }, { message: expect.stringContaining('on a branch') }],
    [updateFile, written, { message: "A file with this name doesn't exist" }],
    [
      updateFile,
      { ...there, content: 'one\n2\n' },
      { message: expect.stringContaining('could not be created') },
    ],
    [updateFile, { ...there, last_commit_id: first }, { message: expect.stringContaining('has changed') }],
    [deleteFile, { ...there, last_commit_id: first }, { message: expect.stringContaining('has changed') }],
  ] as const)
    expect(await call(endpoint, params, DEVELOPER)).toMatchObject({ status: 400, body, events: [] });
});

test('the address of a file begins with the longest ref that there is', async () => {
  const { call, commit, first, tip } = await started();
  await commit(7, 'release', { 'x/docs/a.txt': 'short' });
  const at = async (ref_and_path: string) => {
    const { status, body } = await call(getRawFileAt, { id: 7, ref_and_path }, REPORTER);
    return status === 200 ? String(body) : status;
  };
  expect(await at('release/x/docs/a.txt')).toBe('short');
  expect(await at('main/docs/a.txt')).toBe('one\n2\n');
  expect(await at(`${first}/docs/a.txt`)).toBe('one\ntwo\n');
  expect(await at(`${tip.slice(0, 10)}/docs/a.txt`)).toBe('one\n2\n');
  for (const missing of ['main', 'main/', 'main/docs', 'nothing/docs/a.txt', '../main/docs/a.txt'])
    expect(await at(missing), missing).toBe(404);
});

test('a branch with a slash in its name is found before a shorter tag', async () => {
  const { call, commit, repo, first } = await started();
  const shorter = { ref: 'refs/tags/v1', oldOid: '0'.repeat(40), newOid: first };
  await repo.repositories.moveRefs(7, [shorter], SYSTEM_METADATA, 'api');
  await commit(7, 'v1/docs', { 'a.txt': 'longer' });
  const { body } = await call(getRawFileAt, { id: 7, ref_and_path: 'v1/docs/a.txt' }, REPORTER);
  expect(String(body)).toBe('longer');
});
