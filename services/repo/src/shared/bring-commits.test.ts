import { gitText } from '@forgelog/git/testing/stock-git.ts';
import { projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { expect, test } from 'vitest';
import { startRepoSlices } from '../testing/start-repo-slices.ts';
import { bringCommits } from './bring-commits.ts';

const place = (id: number, storage = 'default') => ({ id, storage });

async function started() {
  const running = await startRepoSlices([], [userCreated(1), projectCreated(7), projectCreated(8)]);
  const first = await running.commit(8, 'main', { 'a.txt': 'a' });
  const tip = await running.commit(8, 'main', { 'b.txt': 'b' });
  const gitDir = running.repo.repositories.of(7).gitDir;
  return { ...running, first, tip, gitDir };
}

test('a commit of one project can be named by a ref of another, with all that it reaches', async () => {
  const { repo, first, tip, gitDir } = await started();
  await bringCommits(repo, { source: place(8), target: place(7), oids: [tip] });
  expect((await repo.repositories.of(7).commit(tip))?.parentIds).toEqual([first]);
  gitText(gitDir, ['update-ref', 'refs/merge-requests/1/head', tip]);
  expect(gitText(gitDir, ['fsck', '--strict', '--full'])).toBe('');
  expect(gitText(gitDir, ['rev-list', '--count', tip])).toBe('2');
});

test('what is there already is not copied', async () => {
  const { repo, commit, first, tip, gitDir } = await started();
  await bringCommits(repo, { source: place(8), target: place(7), oids: [first] });
  gitText(gitDir, ['update-ref', 'refs/heads/main', first]);
  const objects = () => Number(gitText(gitDir, ['count-objects', '-v']).match(/in-pack: (\d+)/)?.[1]);
  const before = objects();
  await bringCommits(repo, { source: place(8), target: place(7), oids: [tip] });
  // The commit, its tree and one file; the other file came before.
  expect(objects() - before).toBe(3);
  await bringCommits(repo, { source: place(8), target: place(7), oids: [first, tip] });
  await bringCommits(repo, { source: place(7), target: place(7), oids: [await commit(7, 'own', { c: '' })] });
  expect(objects() - before).toBe(3);
});

test('nothing crosses storages, and a commit that the source lacks is a failure', async () => {
  const { repo, tip } = await started();
  const across = bringCommits(repo, { source: place(8, 'other'), target: place(7), oids: [tip] });
  await expect(across).rejects.toMatchObject({ code: 'refused' });
  const lacking = bringCommits(repo, { source: place(8), target: place(7), oids: ['a'.repeat(40)] });
  await expect(lacking).rejects.toMatchObject({ code: 'failed' });
  expect(await repo.repositories.of(7).commit(tip)).toBeUndefined();
});
