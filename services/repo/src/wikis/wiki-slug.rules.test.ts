import { expect, test } from 'vitest';
import { movedSlug, slugOf, slugProblems, titleOf } from './wiki-slug.rules.ts';

test.each([
  ['home', 'home', 'home'],
  ['  Getting \t started ', 'Getting-started', 'Getting started'],
  ['/engines// The  crank /', 'engines/The-crank', 'The crank'],
  ['a<b>+c', 'a-b--c', 'a b  c'],
  ['Été-1.2', 'Été-1.2', 'Été 1.2'],
  [' / ', '', ''],
])('the title %j has the slug %j and reads %j', (title, slug, shown) => {
  expect(slugOf(title)).toBe(slug);
  expect(slugOf(slug)).toBe(slug);
  expect(titleOf(slug)).toBe(shown);
});

test.each([
  ['New', 'a/Old', 'a/New'],
  ['Old name', 'Old-name', 'Old-name'],
  ['/New', 'a/Old', 'New'],
  ['b/New', 'a/Old', 'b/New'],
  [' ', 'a/Old', ''],
])('the title %j moves %j to %j', (title, present, slug) => {
  expect(movedSlug(title, present)).toBe(slug);
});

test('a slug fits into a tree of git, with the ending of its markup', () => {
  expect(slugProblems('a/b')).toEqual([]);
  expect(slugProblems('')).toEqual(["can't be blank"]);
  for (const slug of ['..', 'a/../b', '.git/config', 'a\0b', '\ud800'])
    expect(slugProblems(slug)).toEqual(['is invalid']);
  expect(slugProblems('é'.repeat(122))).toEqual([]);
  expect(slugProblems(`${'f'.repeat(256)}/${'é'.repeat(123)}`)).toEqual([
    'exceeds the limit of 245 bytes',
    `exceeds the limit of 255 bytes for directory name "${'f'.repeat(256)}"`,
  ]);
});
