import { expect, test } from 'vitest';
import { disposition } from './disposition.ts';

test.each([
  [undefined, 'inline'],
  ['a.zip', `inline; filename="a.zip"; filename*=UTF-8''a.zip`],
  ['a "b"\\c.zip', `inline; filename="a _b__c.zip"; filename*=UTF-8''a%20%22b%22%5Cc.zip`],
  [
    'ü\r\nSet-Cookie: x',
    `inline; filename="___Set-Cookie: x"; filename*=UTF-8''%C3%BC%0D%0ASet-Cookie%3A%20x`,
  ],
  ["it's (1)*.zip", `inline; filename="it's (1)*.zip"; filename*=UTF-8''it%27s%20%281%29%2A.zip`],
])('the name %j is safe in a header', (name, expected) => {
  expect(disposition('inline', name)).toBe(expected);
});
