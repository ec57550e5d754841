import { expect, test } from 'vitest';
import { addressedNames } from './arising-todos.ts';

test.each([
  ['@ada look', ['ada']],
  ['@Ada, @bob.x: look', ['ada', 'bob.x']],
  ['  @ada and @bob look at @eve', ['ada', 'bob']],
  ['Hello @ada', []],
  ['', []],
  [null, []],
])('%j speaks to %j', (text, names) => {
  expect([...addressedNames(text)]).toEqual(names);
});

test('a text made to be slow is read at once', () => {
  const began = performance.now();
  addressedNames('@a '.repeat(100_000));
  addressedNames(`${'@a and '.repeat(10_000)}!`);
  expect(performance.now() - began).toBeLessThan(200);
});
