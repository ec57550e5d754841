import { expect, test } from 'vitest';
import { refPattern } from './ref-pattern.ts';

test.each([
  ['main', ['main'], ['Main', 'main2', 'amain', '']],
  ['release/*', ['release/', 'release/1', 'release/1/2'], ['release', 'arelease/1']],
  ['*-stable', ['-stable', '1-stable', 'a/b-stable'], ['1-stable2', 'stable']],
  ['*', ['', 'main', 'a/b'], []],
  ['a*a', ['aa', 'aba'], ['a', 'ab']],
  ['*ab*ab*', ['abab', 'xabyabz'], ['ab', 'aab']],
  ['v.*', ['v.1'], ['vx1']],
  ['(a+)+$', ['(a+)+$'], ['aaa']],
])('%s covers %j, and not %j', (pattern, covered, others) => {
  const covers = refPattern(pattern);
  expect(covered.filter((name) => !covers(name))).toEqual([]);
  expect(others.filter(covers)).toEqual([]);
});
