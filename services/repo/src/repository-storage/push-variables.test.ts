import { expect, test } from 'vitest';
import { createPushVariables } from './push-variables.ts';

test('values of variables are given to the pusher alone', () => {
  const variables = createPushVariables();
  variables.keep('push', 1, [
    'ci.skip',
    'ci.variable=A=1=2',
    'ci.variable="B=two words"',
    'ci.variable=C=',
    'ci.variable=D',
    'ci.variable=1E=x',
    'other=F=x',
    'ci.variable=G="quoted"',
  ]);
  expect(variables.read('push', 1)).toEqual([
    { key: 'A', value: '1=2' },
    { key: 'B', value: 'two words' },
    { key: 'C', value: '' },
    { key: 'G', value: '"quoted"' },
  ]);
  expect(variables.read('push', 2)).toBeNull();
  expect(variables.read('other', 1)).toBeNull();
});

test('a push without variables keeps nothing', () => {
  const variables = createPushVariables();
  variables.keep('push', 1, ['ci.skip']);
  expect(variables.read('push', 1)).toBeNull();
});
