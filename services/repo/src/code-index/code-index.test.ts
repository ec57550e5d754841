import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { RepoPorts } from '../ports.ts';
import { projectsProjection } from '../projects/projects.projection.ts';
import { codeQuery } from '../search/code-query.rules.ts';
import { confirmed } from '../search/code-search.query.ts';
import { startRepoSlices } from '../testing/start-repo-slices.ts';
import { createCodeIndex, textOf } from './code-index.ts';
import runTask from './code-index-thread.ts';

const given = [userCreated(1), projectCreated(7), projectCreated(8)];
const SLICES = [defineSlice<RepoPorts>({ projections: [projectsProjection] })];

async function started() {
  const running = await startRepoSlices(SLICES, given);
  const { repo } = running;
  const file = join(repo.root, '..', 'code-index.db');
  /** As a process that starts on the same files. */
  const again = () => {
    const index = createCodeIndex({
      ...repo,
      configuration: { ...repo.configuration, DATA_DIR: join(repo.root, '..') },
    });
    onTestFinished(() => index.stop());
    return index;
  };
  const headOf = async (projectId = 7) => (await repo.repositories.of(projectId).readRef('refs/heads/main'))!;
  /** A busy machine may take longer than a search waits: then the repository is read instead. */
  const find = (search: string, index = repo.codeIndex) =>
    vi.waitUntil(async () => index.find(7, await headOf(), search), { timeout: 30_000 });
  const paths = async (search: string, index = repo.codeIndex) =>
    (await find(search, index)).map(({ path }) => path).sort();
  const across = async (search: string, index = repo.codeIndex) =>
    (await index.across(null, 0, search)).map(({ projectId, path }) => `${projectId} ${path}`).sort();
  return { ...running, file, again, headOf, find, paths, across };
}

test('what it tells is what git finds', { timeout: 60_000 }, async () => {
  const { commit, repo, find } = await started();
  const word = fc.constantFrom(
    'ab',
    'abc',
    'ABd',
    'Straße',
    'ÄRGER',
    '"x"',
    'a*b',
    '日本語',
    'next[0]',
    ' ',
    '\n',
    'İ',
    '😀é',
  );
  const text = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(''));
  const texts = fc.sample(text, { numRuns: 40, seed: 7 });
  await commit(7, 'main', Object.fromEntries(texts.map((content, at) => [`f${at}.txt`, content])));
  const repository = repo.repositories.of(7);
  await fc.assert(
    fc.asyncProperty(
      text.map((each) => each.trim()).filter((each) => Array.from(each).length > 2),
      async (search) => {
        const query = codeQuery(search);
        const likely = await find(search);
        const bounds = { most: 1000, end: Number.POSITIVE_INFINITY };
        const { files } = await confirmed(likely, query, ({ oid }) => textOf(repository, oid), bounds);
        const holding = texts.flatMap((content, at) => {
          const has = !query.text.includes('\n') && content.toLowerCase().includes(query.text);
          return has ? [`f${at}.txt`] : [];
        });
        expect(files.map(({ path }) => path).sort()).toEqual(holding.sort());
      },
    ),
    { numRuns: 60, seed: 3 },
  );
});

test('it follows pushes, one by one and many at once', async () => {
  const { commit, paths } = await started();
  await commit(7, 'main', { 'a.txt': 'the engine', 'b/c.txt': 'nothing', 'd.txt': 'engine too' });
  expect(await paths('engine')).toEqual(['a.txt', 'd.txt']);
  await commit(7, 'main', { 'a.txt': 'a motor', 'd.txt': null, 'e.txt': 'engine' });
  expect(await paths('engine')).toEqual(['e.txt']);
  expect(await paths('motor')).toEqual(['a.txt']);
  // More than one step takes, with files that are the same elsewhere.
  const many = Object.fromEntries(
    Array.from({ length: 1100 }, (_, at) => [`many/${at}.txt`, `piston ${at}`]),
  );
  await commit(7, 'main', { ...many, 'e.txt': null });
  expect(await paths('piston 77')).toContain('many/77.txt');
  expect(await paths('engine')).toEqual([]);
  expect(await paths('nothing')).toEqual(['b/c.txt']);
});

test('only heads of default branches are indexed, and of binary and large files the paths', async () => {
  const { commit, repo, paths } = await started();
  const large = `motor ${'x'.repeat(1024 * 1024)}`;
  const old = await commit(7, 'main', {
    'a.txt': 'engine',
    'engine.bin': 'motor\0',
    'large-engine.txt': large,
  });
  expect(await paths('engine')).toEqual(['a.txt', 'engine.bin', 'large-engine.txt']);
  expect(await paths('motor')).toEqual([]);
  await commit(7, 'main', { 'a.txt': 'motor' });
  const topic = await commit(7, 'topic', { 'a.txt': 'engine' });
  expect(await paths('motor')).toEqual(['a.txt']);
  for (const oid of [old, topic]) expect(await repo.codeIndex.find(7, oid, 'engine')).toBeNull();
  expect(await repo.codeIndex.find(99, old, 'engine')).toBeNull();
});

test('a process that was killed half-way goes on where it was', async () => {
  const { commit, repo, file, again, headOf, across } = await started();
  await commit(7, 'main', { 'a.txt': 'engine', 'b.txt': 'engine', 'gone.txt': 'engine' });
  await expect.poll(() => across('engine')).toHaveLength(3);
  await commit(7, 'main', { 'a.txt': 'engine anew', 'gone.txt': null });
  const listing = await repo.repositories.of(7).treeListing(await headOf());
  const missing = runTask(['begin', { file, projectId: 7, listing }]);
  expect(missing).toMatchObject([{ path: 'a.txt' }]);
  const index = again();
  await index.start();
  await expect.poll(() => across('engine', index)).toEqual(['7 a.txt', '7 b.txt']);
  expect(await across('anew', index)).toEqual(['7 a.txt']);
  expect(runTask(['head', { file, projectId: 7 }])).toBe(await headOf());
});

test('a start brings what is missing, and forgets what is gone', async () => {
  const { commit, repo, again, across } = await started();
  await commit(7, 'main', { 'a.txt': 'engine' });
  await commit(8, 'main', { 'b.txt': 'engine' });
  const index = again();
  await index.start();
  await expect.poll(() => across('engine', index)).toEqual(['7 a.txt', '8 b.txt']);
  await repo.repositories.remove(8);
  expect(await across('engine')).toEqual(['7 a.txt']);
});

test('a damaged file is made anew', async () => {
  const { commit, repo, file, again, paths } = await started();
  await commit(7, 'main', { 'a.txt': 'engine' });
  expect(await paths('engine')).toEqual(['a.txt']);
  await repo.codeIndex.stop();
  for (const ending of ['', '-wal', '-shm']) writeFileSync(file + ending, 'no database'.repeat(1000));
  expect(await paths('engine', again())).toEqual(['a.txt']);
});
