import { findDiffLine, followLines } from '@forgelog/contracts/repo/diff-lines/diff-line.operations.ts';
import { DEVELOPER, OUTSIDER, team } from '@forgelog/testing/sample-team.ts';
import { expect, test } from 'vitest';
import { samplePrincipal } from '../testing/sample-principal.ts';
import { startRepoSlices } from '../testing/start-repo-slices.ts';
import { diffLineSlice } from './diff-line.slice.ts';

const ABSENT = 'a'.repeat(40);
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`);

/** `from`: a file of 20 lines. `to`: line 3 is gone, two lines follow line 10, and the file has another name. */
async function started() {
  const running = await startRepoSlices([diffLineSlice], team);
  const { ports, commit } = running;
  const lines = numbered(20);
  const kept = { 'kept.txt': 'kept\n', 'bytes.bin': '\0\x01' };
  const from = await commit(7, 'main', { 'old.txt': lines.join(''), ...kept });
  lines.splice(10, 0, 'new a\n', 'new b\n');
  lines.splice(2, 1);
  const to = await commit(7, 'main', { 'new.txt': lines.join(''), 'old.txt': null, 'bytes.bin': '\0\x02' });
  const find = (oldLine: number | null, newLine: number | null, more: object = {}, userId = DEVELOPER) =>
    ports.operations.call(
      findDiffLine,
      {
        ...{ projectId: 7, fromSha: from, toSha: to, oldPath: 'old.txt', newPath: 'new.txt' },
        ...{ oldLine, newLine, ...more },
      },
      { principal: samplePrincipal(userId) },
    );
  const follow = (path: string, lines: readonly number[], more: object = {}) =>
    ports.operations.call(
      followLines,
      { projectId: 7, fromSha: from, toSha: to, lines: lines.map((line) => ({ path, line })), ...more },
      { principal: samplePrincipal(DEVELOPER) },
    );
  return { find, follow, from, to };
}

test('a line of a diff is found by the sides that have it', async () => {
  const { find } = await started();
  const file = { oldPath: 'old.txt', newPath: 'new.txt' };
  expect(await find(3, null)).toEqual({ kind: 'removed', oldLine: 3, newLine: 3, text: 'line 3', ...file });
  expect(await find(null, 10)).toEqual({ kind: 'added', oldLine: 11, newLine: 10, text: 'new a', ...file });
  expect(await find(20, 21)).toEqual({
    ...{ kind: 'unchanged', oldLine: 20, newLine: 21, text: 'line 20', ...file },
  });
});

test('a file that was renamed is found by either of its names', async () => {
  const { find } = await started();
  const names = { oldPath: 'old.txt', newPath: 'new.txt' };
  for (const path of ['new.txt', 'old.txt'])
    expect(await find(null, 10, { oldPath: path, newPath: path })).toMatchObject({ kind: 'added', ...names });
  const mixed = { oldPath: 'kept.txt', newPath: 'new.txt' };
  expect(await find(null, 10, mixed)).toEqual({ refused: 'no file' });
});

test('what is no line of the diff is refused', async () => {
  const { find } = await started();
  for (const [oldLine, newLine] of [
    [20, 20],
    [4, null],
    [null, 4],
    [21, 22],
    [null, null],
  ] as const)
    expect([oldLine, newLine, await find(oldLine, newLine)]).toMatchObject([
      ...[oldLine, newLine, { refused: 'no line' }],
    ]);
  expect(await find(1, 1, { oldPath: 'kept.txt', newPath: 'kept.txt' })).toEqual({ refused: 'no file' });
  const binary = { oldPath: 'bytes.bin', newPath: 'bytes.bin' };
  expect(await find(1, null, binary)).toEqual({ refused: 'no line' });
  expect(await find(3, null, { toSha: ABSENT })).toEqual({ refused: 'no commit' });
  expect(await find(3, null, {}, OUTSIDER)).toEqual({ refused: 'no project' });
});

test('in a first commit every line is new', async () => {
  const { find, from } = await started();
  const file = { fromSha: null, toSha: from, oldPath: 'old.txt', newPath: 'old.txt' };
  expect(await find(null, 20, file)).toMatchObject({ kind: 'added', newLine: 20, text: 'line 20' });
  expect(await find(1, null, file)).toEqual({ refused: 'no line' });
});

test('lines are followed to where they are, under another name too; changed ones are lost', async () => {
  const { follow, from } = await started();
  const at = (line: number) => ({ path: 'new.txt', line });
  expect(await follow('old.txt', [1, 3, 4, 10, 11, 20])).toEqual({
    lines: [at(1), null, at(3), at(9), at(12), at(21)],
  });
  expect(await follow('kept.txt', [1])).toEqual({ lines: [{ path: 'kept.txt', line: 1 }] });
  expect(await follow('bytes.bin', [1])).toEqual({ lines: [null] });
  expect(await follow('old.txt', [7], { toSha: from })).toEqual({ lines: [{ path: 'old.txt', line: 7 }] });
  expect(await follow('old.txt', [7], { toSha: ABSENT })).toEqual({ lines: [null] });
});
