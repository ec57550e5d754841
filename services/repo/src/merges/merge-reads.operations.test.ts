import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  describeMerge,
  describeMerges,
  listMergeCommits,
  prepareSource,
  readMergeDiff,
} from '@forgelog/contracts/repo/merges/merge.operations.ts';
import { ZERO_OID } from '@forgelog/git/objects/object-id.ts';
import { projectCreated } from '@forgelog/testing/sample-events.ts';
import { DEVELOPER, OUTSIDER, OWNER, REPORTER, team } from '@forgelog/testing/sample-team.ts';
import { expect, test } from 'vitest';
import { startMerges } from '../testing/start-merges.ts';

const ABSENT = 'a'.repeat(40);

const started = () => startMerges([...team, projectCreated(8), projectCreated(9, { storage: 'second' })]);

const describing = { projectId: 7, targetBranch: 'main', divergedCommits: true, changes: true };

test('the tips of both branches are told, with the rights of the caller', async () => {
  const { ask, commit, begin } = await started();
  const topic = await commit(7, 'topic', { 'c.txt': 'c' });
  const asked = { projectId: 7, sourceProjectId: 7, sourceBranch: 'topic', targetBranch: 'main' };
  const answer = { sourceSha: topic, targetSha: begin, mayPushSource: true, defaultBranch: 'main' };
  expect(await ask(prepareSource, asked)).toEqual(answer);
  expect(await ask(prepareSource, asked, REPORTER)).toEqual({ ...answer, mayPushSource: false });
  const none = { ...asked, sourceBranch: 'missing', targetBranch: '..' };
  expect(await ask(prepareSource, none)).toMatchObject({ sourceSha: null, targetSha: null });
});

test('objects of another project come with its branch, if the caller may read it', async () => {
  const { ask, commit, setBranch, begin, repo } = await started();
  const [target, source] = [repo.repositories.of(7), repo.repositories.of(8)];
  await source.copyObjectsFrom(target, [begin]);
  await setBranch('main', begin, 8);
  const head = await commit(8, 'main', { 'c.txt': 'c' }, 'Of the other');
  const asked = { projectId: 7, sourceProjectId: 8, sourceBranch: 'main', targetBranch: 'main' };
  const pair = { sourceSha: head, targetSha: begin };
  expect(await ask(prepareSource, asked, DEVELOPER)).toEqual({ refused: 'no source' });
  expect(await ask(describeMerge, { ...describing, ...pair })).toEqual({ refused: 'no commit' });
  expect(await ask(prepareSource, asked, OWNER)).toMatchObject(pair);
  expect(await ask(describeMerge, { ...describing, ...pair })).toMatchObject({ canFastForward: true });
  expect((await target.fsck()).problems).toEqual([]);
  const elsewhere = { ...asked, sourceProjectId: 9 };
  expect(await ask(prepareSource, elsewhere, OWNER)).toEqual({ refused: 'other storage' });
});

test('a push that is not finished is waited for', async () => {
  const { ask, repo } = await started();
  const release = repo.repositories.hold(7);
  let answered = false;
  const asked = { projectId: 7, sourceProjectId: 7, sourceBranch: 'topic', targetBranch: 'main' };
  const asking = ask(prepareSource, asked).finally(() => {
    answered = true;
  });
  await ask(listMergeCommits, { projectId: 7, startSha: ABSENT, headSha: ABSENT, offset: 0, limit: 1 });
  expect(answered).toBe(false);
  release();
  expect(await asking).toHaveProperty('sourceSha');
});

test('a merge is described: base, conflicts, what diverged and what changes', async () => {
  const { ask, commit, begin, repo } = await started();
  const topic = await commit(7, 'topic', { 'a.txt': 'topic\n', 'c.txt': 'c\n' });
  const ahead = { sourceSha: topic, targetSha: begin };
  const answer = {
    ...{ baseSha: begin, conflicts: [], canFastForward: true, divergedCommits: 0 },
    ...{ changesCount: 2, changesCountIsLowerBound: false, mayMerge: true },
  };
  expect(await ask(describeMerge, { ...describing, ...ahead })).toEqual(answer);
  const less = { ...describing, ...ahead, divergedCommits: false, changes: false };
  expect(await ask(describeMerge, less, REPORTER)).toEqual({
    ...answer,
    ...{ divergedCommits: null, changesCount: null, mayMerge: false },
  });
  const beside = { sourceSha: topic, targetSha: await commit(7, 'main', { 'b.txt': 'main\n' }) };
  expect(await ask(describeMerge, { ...describing, ...beside })).toEqual({
    ...answer,
    ...{ canFastForward: false, divergedCommits: 1 },
  });
  const against = { sourceSha: topic, targetSha: await commit(7, 'main', { 'a.txt': 'main\n' }) };
  const conflict = { ...answer, canFastForward: false, divergedCommits: 2, conflicts: ['a.txt'] };
  expect(await ask(describeMerge, { ...describing, ...against })).toEqual(conflict);
  const merged = { sourceSha: begin, targetSha: topic };
  expect(await ask(describeMerge, { ...describing, ...merged })).toMatchObject({
    ...{ conflicts: [], canFastForward: false, changesCount: 0 },
  });
  expect(await ask(describeMerges, { projectId: 7, pairs: [ahead, beside, against, merged] })).toEqual({
    merges: [
      { conflicts: false, canFastForward: true },
      { conflicts: false, canFastForward: false },
      { conflicts: true, canFastForward: false },
      { conflicts: false, canFastForward: false },
    ],
  });
  // What the question wrote is gone again.
  const objects = readdirSync(join(repo.repositories.of(7).gitDir, 'objects'));
  expect(objects.filter((name) => name.startsWith('tmp_'))).toEqual([]);
  expect(await repo.repositories.of(7).strays()).toEqual([]);
});

test('histories without a common commit can be merged', async () => {
  const { ask, begin, repo, setBranch } = await started();
  const author = { name: 'A', email: 'a@example.com', date: new Date() };
  const content = Buffer.from('x');
  const { oid } = await repo.repositories.of(7).buildCommit({
    ...{ parents: [], author, message: 'Alone' },
    actions: [{ action: 'create', path: 'x.txt', content }],
  });
  await setBranch('alone', oid);
  expect(await ask(describeMerge, { ...describing, sourceSha: oid, targetSha: begin })).toMatchObject({
    ...{ baseSha: null, conflicts: [], canFastForward: false, changesCount: 1 },
  });
  const diff = { projectId: 7, startSha: begin, headSha: oid, unlimited: false };
  expect(await ask(readMergeDiff, diff)).toMatchObject({ baseSha: null, files: [{ newPath: 'x.txt' }] });
});

test('commits are listed by pages, newest first', async () => {
  const { ask, commit } = await started();
  const shas = [];
  for (const text of ['1', '2', '3'])
    shas.unshift(await commit(7, 'topic', { 'a.txt': text }, `Say ${text}`));
  const startSha = await commit(7, 'main', { 'b.txt': 'main' });
  const list = { projectId: 7, startSha, headSha: shas[0]!, limit: 2 };
  const first = await ask(listMergeCommits, { ...list, offset: 0 });
  expect(first).toMatchObject({ commits: [{ id: shas[0], title: 'Say 3' }, { id: shas[1] }], hasMore: true });
  const last = await ask(listMergeCommits, { ...list, offset: 2 });
  expect(last).toMatchObject({ commits: [{ id: shas[2] }], hasMore: false });
});

test('the diff is that of the source alone, and says what limits left out', async () => {
  const { ask, commit, begin } = await started();
  const large = `${'x'.repeat(99)}\n`.repeat(3_000);
  const headSha = await commit(7, 'topic', { 'a.txt': 'topic\n', 'large.txt': large });
  const startSha = await commit(7, 'main', { 'b.txt': 'main\n' });
  const read = { projectId: 7, startSha, headSha, unlimited: false };
  const files = [
    { newPath: 'a.txt', newFile: false, aMode: '100644', diff: '@@ -1 +1 @@\n-a\n+topic\n', tooLarge: false },
    { newPath: 'large.txt', newFile: true, aMode: '0', aOid: ZERO_OID, diff: '', tooLarge: true },
  ];
  const answer = { baseSha: begin, files, overflow: true, filesCount: 2, filesCountIsLowerBound: false };
  expect(await ask(readMergeDiff, read)).toMatchObject(answer);
  const whole = await ask(readMergeDiff, { ...read, unlimited: true });
  expect(whole).toMatchObject({ overflow: false, files: [files[0], { tooLarge: false }] });
});

test('who may not read the repository gets what a missing project answers', async () => {
  const { ask, begin } = await started();
  const refused = { refused: 'no project' };
  const pair = { sourceSha: begin, targetSha: begin };
  const range = { startSha: begin, headSha: begin };
  for (const [projectId, user] of [
    [7, OUTSIDER],
    [99, OWNER],
  ] as const) {
    const branches = { sourceBranch: 'topic', targetBranch: 'main' };
    expect(await ask(prepareSource, { projectId, sourceProjectId: 7, ...branches }, user)).toEqual(refused);
    expect(await ask(describeMerge, { ...describing, ...pair, projectId }, user)).toEqual(refused);
    expect(await ask(describeMerges, { projectId, pairs: [pair] }, user)).toEqual(refused);
    expect(await ask(listMergeCommits, { projectId, ...range, offset: 0, limit: 1 }, user)).toEqual(refused);
    expect(await ask(readMergeDiff, { projectId, ...range, unlimited: false }, user)).toEqual(refused);
  }
});

test('a commit that the repository lacks is refused', async () => {
  const { ask, begin } = await started();
  const refused = { refused: 'no commit' };
  const pair = { sourceSha: ABSENT, targetSha: begin };
  const range = { startSha: ABSENT, headSha: begin };
  expect(await ask(describeMerge, { ...describing, ...pair })).toEqual(refused);
  expect(await ask(describeMerges, { projectId: 7, pairs: [pair] })).toEqual({ merges: [null] });
  expect(await ask(listMergeCommits, { projectId: 7, ...range, offset: 0, limit: 1 })).toEqual(refused);
  expect(await ask(readMergeDiff, { projectId: 7, ...range, unlimited: false })).toEqual(refused);
});
