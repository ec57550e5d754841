import { randomUUID } from 'node:crypto';
import type { RequestOf } from '@forgelog/contracts/operation.ts';
import { commitLines, readLines } from '@forgelog/contracts/repo/diff-lines/suggested-line.operations.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { GitFailedError, RefsBehindError } from '@forgelog/git/errors.ts';
import { DEVELOPER, OUTSIDER, REPORTER, team } from '@forgelog/testing/sample-team.ts';
import { expect, test, vi } from 'vitest';
import { samplePrincipal } from '../testing/sample-principal.ts';
import { startRepoSlices } from '../testing/start-repo-slices.ts';
import { diffLineSlice } from './diff-line.slice.ts';

const ABSENT = 'a'.repeat(40);

async function started() {
  const running = await startRepoSlices([diffLineSlice], team);
  const { ports, commit, repo } = running;
  const files = { 'a.txt': 'one\ntwo\nthree', 'large.txt': `${'x'.repeat(10 * 1024 * 1024)}\n` };
  const sha = await commit(7, 'main', files);
  const read = (path: string, from: number, to: number, more: object = {}, userId = DEVELOPER) =>
    ports.operations.call(
      readLines,
      { projectId: 7, ranges: [{ sha, path, from, to, ...more }] },
      { principal: samplePrincipal(userId) },
    );
  const edit = (more: Partial<RequestOf<typeof commitLines>> = {}, id = randomUUID(), userId = DEVELOPER) =>
    ports.operations.call(
      commitLines,
      {
        ...{ projectId: 7, branch: 'main', sha, message: 'Apply', suggestionIds: [1, 2] },
        edits: [{ path: 'a.txt', from: 2, to: 2, content: 'TWO\n' }],
        ...more,
      },
      { principal: samplePrincipal(userId), operationId: id, metadata: SYSTEM_METADATA },
    );
  const repository = repo.repositories.of(7);
  const tip = async () => (await repository.readRef('refs/heads/main'))!;
  const text = async () => (await repository.file(await tip(), 'a.txt'))!;
  const commits = async () =>
    (await repository.commits({ range: { include: [await tip()], exclude: [] }, limit: 9 }))!.commits;
  return { ...running, repository, read, edit, sha, text, commits };
}

test('lines are read with their ends, as far as the file goes', async () => {
  const { read } = await started();
  expect(await read('a.txt', 1, 2)).toEqual({ texts: ['one\ntwo\n'] });
  expect(await read('a.txt', 3, 200)).toEqual({ texts: ['three'] });
  const none = { texts: [null] };
  expect(await read('a.txt', 4, 4)).toEqual(none);
  for (const path of ['missing.txt', 'large.txt', '../a.txt', ''])
    expect(await read(path, 1, 1)).toEqual(none);
  expect(await read('a.txt', 1, 1, { sha: ABSENT })).toEqual(none);
  expect(await read('a.txt', 1, 1, {}, OUTSIDER)).toEqual({ refused: 'no project' });
});

test('edits are a commit of the caller, whose event names the suggestions', async () => {
  const { edit, text, commits, repo, sha } = await started();
  const id = randomUUID();
  const answer = await edit({}, id);
  expect((await text()).content.toString()).toBe('one\nTWO\nthree');
  const [newest] = await commits();
  expect(newest).toMatchObject({ parentIds: [sha], message: 'Apply' });
  expect(answer).toEqual({ sha: newest!.id });
  expect(await repo.repositories.movedBy(7, id)).toMatchObject({ newOid: newest!.id, suggestionIds: [1, 2] });
});

test('what cannot be committed is refused, and changes nothing', async () => {
  const { edit, commits, sha } = await started();
  const at = (path: string, from = 1, content = 'x\n') => ({ edits: [{ path, from, to: from, content }] });
  expect(await edit(at('a.txt', 4))).toEqual({ refused: 'no line' });
  for (const path of ['missing.txt', 'large.txt'])
    expect(await edit(at(path))).toEqual({ refused: 'no line' });
  expect(await edit(at('a.txt', 1, 'one\n'))).toEqual({ refused: 'no change' });
  expect(await edit({ sha: ABSENT })).toEqual({ refused: 'branch moved' });
  expect(await edit({ branch: 'missing' })).toEqual({ refused: 'no branch' });
  expect(await edit({ branch: '..' })).toEqual({ refused: 'no branch' });
  expect(await edit({}, randomUUID(), REPORTER)).toEqual({ refused: 'forbidden' });
  expect(await edit({}, randomUUID(), OUTSIDER)).toEqual({ refused: 'no project' });
  expect((await commits()).map(({ id }) => id)).toEqual([sha]);
});

test.each(['before it is recorded', 'after it is recorded'])(
  'a commit whose process is killed %s is there once when it is asked for again',
  async (when) => {
    const { edit, commits, repository } = await started();
    const id = randomUUID();
    vi.spyOn(repository, 'updateRefs').mockImplementationOnce(async (_, vote) => {
      if (when === 'before it is recorded') throw new GitFailedError('update-ref', 1, 'killed');
      await vote!();
      throw new RefsBehindError(new Error('killed'));
    });
    const first = await edit({}, id).catch((error: unknown) => error);
    if (when === 'before it is recorded') expect(first).toBeInstanceOf(GitFailedError);
    const answer = await edit({}, id);
    const [newest, ...older] = await commits();
    expect(answer).toEqual({ sha: newest!.id });
    expect(older).toHaveLength(1);
    expect(await edit({}, id)).toEqual(answer);
    expect(await edit()).toEqual({ refused: 'branch moved' });
  },
);
