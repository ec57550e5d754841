import { expect, test } from 'vitest';
import { closedBy, referencesIn } from './closing-pattern.ts';

const named = (references: ReturnType<typeof closedBy>) =>
  references.map(({ project, iid }) => `${project ?? ''}#${iid}`);

test.each([
  ['Closes #1', ['#1']],
  ['this fixes: #12.', ['#12']],
  ['Resolves #1, #2 and #3', ['#1', '#2', '#3']],
  ['implement issue #4', ['#4']],
  ['Fixed group/sub.group/project#5, and #6', ['group/sub.group/project#5', '#6']],
  ['closes #1 and closes #1', ['#1']],
  ['Closing\t#7', ['#7']],
  ['see #1', []],
  ['closes the door, see #1', []],
  ['encloses #1', []],
  ['Closes !1', []],
  ['Closes #1x', []],
])('%j closes %j', (text, wanted) => {
  expect(named(closedBy(text))).toEqual(wanted);
});

test('a text names issues in any words', () => {
  expect(named(referencesIn('See #1, a/b#2 (and #1): not x#3y'))).toEqual(['#1', 'a/b#2']);
});

test('a hostile text takes no time', () => {
  for (const text of ['a/'.repeat(50_000), 'closes '.repeat(20_000), `closes ${'#1, '.repeat(30_000)}`]) {
    expect(closedBy(`${text}!`).length).toBeLessThan(2);
    referencesIn(`${text}!`);
  }
});
