import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isAmong, wordsOf } from './words.ts';

test.each([
  ['The quick, quick fox.', ['the', 'quick', 'fox']],
  ['ÄPFEL äpfel A\u0308pfel', ['apfel']],
  ['STRASSE straße', ['strasse']],
  ['ΟΔΟΣ οδος', ['οδοσ']],
  ['İstanbul ıstanbul', ['istanbul']],
  ['o\u212a ﬁne ｆｕｌｌ', ['ok', 'fine', 'full']],
  ['snake_case fooBar v2.0-rc1', ['snake', 'case', 'foobar', 'v2', '0', 'rc1']],
  ['pass\u200bword \u202egnp\u202c so\u00adft', ['password', 'gnp', 'soft']],
  ['検索する', ['検', '索', 'す', 'る']],
  ['nul\0byte', ['nul', 'byte']],
  ['"quoted" AND near(a b) col:x* -not ^', ['quoted', 'and', 'near', 'a', 'b', 'col', 'x', 'not']],
  ['🙂 +++ \ud800', []],
  ['', []],
])('the words of %j', (text, words) => {
  expect(wordsOf(text)).toEqual(words);
});

test('a long word counts by its beginning, and a text by its first 20,000 words', () => {
  expect(wordsOf('a'.repeat(1_000_000))).toEqual(['a'.repeat(40)]);
  expect(wordsOf(Array.from({ length: 30_000 }, (_, at) => `w${at}`).join(' '))).toHaveLength(20_000);
});

test('a word stands for those that begin with it, a short one only for itself', () => {
  expect(isAmong('aut', ['author'])).toBe(true);
  expect(isAmong('au', ['author'])).toBe(false);
  expect(isAmong('au', ['au'])).toBe(true);
  expect(isAmong('thor', ['author'])).toBe(false);
});

test('a word is its own only word, whatever the text', () => {
  const text = fc.string({ unit: 'binary', maxLength: 60 });
  fc.assert(
    fc.property(text, (each) => {
      for (const word of wordsOf(each)) {
        expect(word).toMatch(/^[\p{L}\p{N}\p{M}]+$/u);
        expect(wordsOf(word)).toEqual([word]);
      }
    }),
    { numRuns: 3000 },
  );
});
