import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Repository } from '../git.ts';
import { createFixture, type Fixture } from '../testing/fixture.ts';
import { gitAsync, gitText } from '../testing/stock-git.ts';

vi.setConfig({ testTimeout: 120_000 });

let fixture: Fixture;
let repo: Repository;
let count = 0;
beforeAll(async () => {
  fixture = await createFixture();
});
afterAll(() => fixture.close());

const git = (...args: string[]) => gitText(repo.gitDir, args);

interface Commit {
  /** Indexes of earlier commits; the first two are looked at. */
  parents: number[];
  seconds: number;
  /** Content and mode by path; null deletes it. */
  files: Record<string, { text: number; mode: string } | null>;
}

/** Long enough for git to find the file again under another name. */
const content = (text: number) =>
  Array.from({ length: 20 }, (_, line) => `${line === text ? 'changed' : line}\n`).join('');

/** @returns the commits' ids */
async function repositoryOf(commits: readonly Commit[]): Promise<string[]> {
  repo = await fixture.empty(`merges-${count++}.git`);
  const input = commits.map(({ parents, seconds, files }, at) => {
    const from = [...new Set(parents)].map(
      (mark, order) => `${order === 0 ? 'from' : 'merge'} :${mark + 1}\n`,
    );
    const changes = Object.entries(files).map(([path, file]) =>
      file
        ? `M ${file.mode} inline ${path}\ndata ${content(file.text).length}\n${content(file.text)}\n`
        : `D ${path}\n`,
    );
    return (
      `commit refs/heads/c${at}\nmark :${at + 1}\ncommitter A <a@b.c> ${seconds} +0000\n` +
      `data 1\nx\n${from.join('')}${changes.join('')}\n`
    );
  });
  gitText(repo.gitDir, ['fast-import', '--quiet'], { input: input.join('') });
  return commits.map((_, at) => git('rev-parse', `c${at}`));
}

// `d` is a file here and a folder there; git sorts a folder behind `d.a`.
const path = fc.constantFrom('a', 'b', 'd', 'd.a', 'd/a', 'd/b', 'd/e/a', 'f');
const file = fc.record({ text: fc.nat(4), mode: fc.constantFrom('100644', '100644', '100755', '120000') });
const files = (min: number, max: number, deleting = 1) =>
  fc.dictionary(
    path,
    fc.oneof({ arbitrary: file, weight: 4 }, { arbitrary: fc.constant(null), weight: deleting }),
    {
      minKeys: min,
      maxKeys: max,
    },
  );

/** Each case starts a git of its own, which takes a tenth of a second on a busy machine. */
const LONG_MS = 400_000;

/** What git merges: the tree's id and paths that conflict. */
async function stockMerge(ours: string, theirs: string) {
  const args = [
    'merge-tree',
    '--write-tree',
    '-z',
    '--name-only',
    '--no-messages',
    '--allow-unrelated-histories',
  ];
  const [treeOid, ...paths] = (await gitAsync(repo.gitDir, [...args, ours, theirs])).stdout.split('\0');
  return { treeOid, conflicts: paths.filter(Boolean) };
}

test(
  'trees are merged as git merges them',
  async () => {
    const sides = fc.record({ base: files(3, 5, 0), ours: files(1, 3, 3), theirs: files(1, 3, 3) });
    let clean = 0;
    const check = async (cases: Record<'base' | 'ours' | 'theirs', Commit['files']>[]) => {
      const ids = await repositoryOf(
        cases.flatMap(({ base, ours, theirs }, at) => [
          { parents: [], seconds: 1, files: base },
          { parents: [at * 3], seconds: 2, files: ours },
          { parents: [at * 3], seconds: 2, files: theirs },
        ]),
      );
      for (const at of cases.keys()) {
        const [ours, theirs] = ids.slice(at * 3 + 1) as [string, string];
        const merged = await repo.mergeTrees({ ours, theirs });
        expect(merged).toEqual(await stockMerge(ours, theirs));
        expect(await repo.mergeConflicts(ours, theirs)).toEqual(merged.conflicts);
        if (merged.conflicts.length === 0) clean += 1;
      }
      expect(git('fsck', '--strict', '--no-dangling')).toBe('');
    };
    const runs = process.env.ALL_TESTS ? 20 : 3;
    await fc.assert(fc.asyncProperty(fc.array(sides, { minLength: 30, maxLength: 30 }), check), {
      ...{ numRuns: runs, endOnFailure: true },
    });
    expect(clean).toBeGreaterThan(runs);
  },
  LONG_MS,
);

test('a file and a folder that the sides add under one name are left to git', async () => {
  const files = (...paths: string[]) =>
    Object.fromEntries(paths.map((name) => [name, { text: 0, mode: '100644' }]));
  const [, ours, theirs] = (await repositoryOf([
    { parents: [], seconds: 1, files: files('a', 'd.a') },
    { parents: [0], seconds: 2, files: files('d') },
    { parents: [0], seconds: 2, files: files('d/a') },
  ])) as [string, string, string];
  const merged = await repo.mergeTrees({ ours, theirs });
  expect(merged).toEqual(await stockMerge(ours, theirs));
  expect(merged.conflicts).not.toEqual([]);
});

test(
  'histories that cross, and clocks that are wrong, give the merge base and the merge of git',
  async () => {
    const commit = fc.record({
      parents: fc.array(fc.nat(), { minLength: 1, maxLength: 2 }),
      seconds: fc.nat(20),
      files: files(0, 1),
    });
    const history = fc.array(commit, { minLength: 4, maxLength: 12 });
    const check = async (given: Commit[]) => {
      const ids = await repositoryOf(
        given.map((one, at) => ({
          ...one,
          parents: at === 0 ? [] : one.parents.map((parent) => parent % at),
          files: { ...one.files, [`own/${at}`]: { text: 0, mode: '100644' } },
        })),
      );
      for (const [at, one] of ids.entries()) {
        const other = ids[(at * 7 + 3) % ids.length]!;
        const { stdout: base } = await gitAsync(repo.gitDir, ['merge-base', '--octopus', one, other]);
        expect(await repo.mergeBase([one, other])).toBe(base.trim() || undefined);
        expect(await repo.mergeTrees({ ours: one, theirs: other })).toEqual(await stockMerge(one, other));
      }
    };
    await fc.assert(fc.asyncProperty(history, check), { numRuns: process.env.ALL_TESTS ? 100 : 8 });
  },
  LONG_MS,
);
