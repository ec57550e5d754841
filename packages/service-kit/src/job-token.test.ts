import { expect, test } from 'vitest';
import { createJobTokens } from './job-token.ts';

const tokens = createJobTokens(() => Buffer.alloc(32, 1));

test('a job has one token, which names it', () => {
  const token = tokens.of(1234);
  expect(token).toMatch(/^glcbt-ya-[\w-]{43}$/);
  expect(tokens.of(1234)).toBe(token);
  expect(tokens.of(1235)).not.toBe(token);
  expect([1, 35, 36, 2 ** 40].map((id) => tokens.jobOf(tokens.of(id)))).toEqual([1, 35, 36, 2 ** 40]);
});

test('a token of another instance, of another job or of another form is none', () => {
  const token = tokens.of(7);
  const ofOther = createJobTokens(() => Buffer.alloc(32, 2)).of(7);
  const moved = token.replace('glcbt-7-', 'glcbt-8-');
  const padded = token.replace('glcbt-7-', 'glcbt-07-');
  // 43 characters hold 258 bits: the last one has siblings that decode to the same 256.
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const twin = token.slice(0, -1) + alphabet[alphabet.indexOf(token.at(-1)!) ^ 1];
  for (const wrong of ['', token.slice(6), `${token}A`, ` ${token}`, token.toUpperCase()])
    expect(tokens.jobOf(wrong)).toBeUndefined();
  expect([ofOther, moved, padded, twin].map((wrong) => tokens.jobOf(wrong))).toEqual(
    Array(4).fill(undefined),
  );
});
