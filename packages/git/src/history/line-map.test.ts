import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { createFixture } from '../testing/fixture.ts';
import { LineMap } from './line-map.ts';

test('lines move by what is added and removed before them', () => {
  const map = new LineMap('@@ -2,4 +2,5 @@ head\n two\n-three\n+III\n+3\n four\n five\n');
  expect([1, 2, 3, 4, 9].map((line) => map.toNew(line))).toEqual([1, 2, undefined, 5, 10]);
  expect([1, 2, 3, 4, 5, 10].map((line) => map.toOld(line))).toEqual([1, 2, undefined, undefined, 4, 9]);
});

test('a line of the diff is named by the sides that have it', () => {
  const map = new LineMap('@@ -2,4 +2,5 @@\n two\n-three\n+III\n+3\n four\n five\n');
  expect(map.lineAt(3, null)).toEqual({ kind: 'removed', oldLine: 3, newLine: 3 });
  expect(map.lineAt(null, 4)).toEqual({ kind: 'added', oldLine: 4, newLine: 4 });
  expect(map.lineAt(9, 10)).toEqual({ kind: 'unchanged', oldLine: 9, newLine: 10 });
  for (const [oldLine, newLine] of [
    [9, 9],
    [null, 2],
    [2, null],
    [null, null],
  ] as const)
    expect(map.lineAt(oldLine, newLine)).toBeUndefined();
});

test('a new file has only added lines, a deleted one only removed lines', () => {
  const added = new LineMap('@@ -0,0 +1,2 @@\n+one\n+two\n\\ No newline at end of file\n');
  expect(added.lineAt(null, 2)).toEqual({ kind: 'added', oldLine: 1, newLine: 2 });
  expect(added.toOld(1)).toBeUndefined();
  const removed = new LineMap('@@ -1,2 +0,0 @@\n-one\n-two\n');
  expect(removed.lineAt(2, null)).toEqual({ kind: 'removed', oldLine: 2, newLine: 1 });
  expect(removed.toNew(2)).toBeUndefined();
});

test('an empty diff moves nothing', () => {
  expect(new LineMap('').toNew(7)).toBe(7);
  expect(new LineMap('').toOld(7)).toBe(7);
});

test('every line that is said to stay has the same text on both sides (real git)', async () => {
  const fixture = await createFixture();
  onTestFinished(() => fixture.close());
  const repository = await fixture.empty('lines.git');
  const author = { name: 'A', email: 'a@example.com', date: new Date(0) };
  const commit = async (lines: readonly string[]) => {
    const actions = [{ action: 'create', path: 'f', content: Buffer.from(text(lines)) } as const];
    return (await repository.buildCommit({ parents: [], actions, author, message: 'm' })).oid;
  };
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', '-', '+', '@@ -1 +1 @@'), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(lines, lines, async (before, after) => {
      const { entries } = await repository.diff(await commit(before), await commit(after));
      const map = new LineMap(entries[0]?.diff ?? '');
      const kept = before.flatMap((line, index) => {
        const newLine = map.toNew(index + 1);
        return newLine === undefined ? [] : [{ line, newLine, oldLine: index + 1 }];
      });
      for (const { line, newLine, oldLine } of kept) {
        expect(after[newLine - 1]).toBe(line);
        expect(map.toOld(newLine)).toBe(oldLine);
        expect(map.lineAt(oldLine, newLine)?.kind).toBe('unchanged');
      }
      // What does not stay is removed or added.
      for (const side of [before, after])
        expect(side.length - kept.length).toBe(
          side.filter((_, index) =>
            side === before ? map.lineAt(index + 1, null) : map.lineAt(null, index + 1),
          ).length,
        );
    }),
    { numRuns: 30 },
  );
});

const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');
