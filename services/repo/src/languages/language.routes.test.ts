import { getLanguages } from '@forgelog/contracts/repo/languages/language.api.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { OUTSIDER, OWNER, team } from '@forgelog/testing/sample-team.ts';
import { expect, onTestFinished, test } from 'vitest';
import type { RepoPorts } from '../ports.ts';
import { startRepoSlices } from '../testing/start-repo-slices.ts';
import { languageRoutes } from './language.routes.ts';
import { createLanguageShares } from './language-shares.ts';

async function start() {
  const shares = createLanguageShares();
  onTestFinished(() => shares.stop());
  return {
    shares,
    ...(await startRepoSlices([defineSlice<RepoPorts>({ routes: [languageRoutes(shares)] })], team)),
  };
}

test('languages of the default branch follow its pushes', async () => {
  const { call, commit } = await start();
  const languages = async () => (await call(getLanguages, { id: 7 }, OWNER)).body;
  expect(await languages()).toEqual({});
  await commit(7, 'main', {
    'a.ts': 'x'.repeat(75),
    'b/ü \n.sh': 'x'.repeat(25),
    'README.md': 'x'.repeat(999),
  });
  expect(await languages()).toEqual({ TypeScript: 75, Shell: 25 });
  await commit(7, 'other', { 'c.py': 'x' });
  expect(await languages()).toEqual({ TypeScript: 75, Shell: 25 });
  await commit(7, 'main', { 'd.rb': 'x'.repeat(100) });
  expect(await languages()).toEqual({ Ruby: 50, TypeScript: 37.5, Shell: 12.5 });
  expect(await call(getLanguages, { id: 7 }, OUTSIDER)).toMatchObject({ status: 404 });
});

test('a tree is read once for all who ask, and again after a failure', async () => {
  const { shares } = await start();
  let reads = 0;
  const listing = (fails: boolean) => ({
    treeOid: 'a'.repeat(40),
    async read() {
      reads += 1;
      if (fails) throw new Error('git failed');
      return Buffer.from(`100644 blob ${'b'.repeat(40)}       3\ta.py\0`);
    },
  });
  await expect(shares.of(listing(true))).rejects.toThrow('git failed');
  const asked = [1, 2, 3].map(() => shares.of(listing(false)));
  expect(await Promise.all(asked)).toEqual(Array(3).fill({ Python: 100 }));
  expect(reads).toBe(2);
});
