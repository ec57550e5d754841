import * as languages from 'linguist-languages';
import { expect, test } from 'vitest';
import { createLanguageCounter, type LanguageFacts, sharesOf } from './languages-of-files.ts';

const count = createLanguageCounter(Object.values(languages) as readonly LanguageFacts[]);
const counted = (files: Record<string, number>) =>
  Object.fromEntries(count(Object.entries(files).map(([path, size]) => ({ path, size }))));

test('bytes are added up by language', () => {
  expect(
    counted({ 'src/a.ts': 10, 'src/b.TS': 5, 'page.tsx': 2, 'run.sh': 1, Makefile: 3, 'style.css': 4 }),
  ).toEqual({ TypeScript: 17, Shell: 1, Makefile: 3, CSS: 4 });
});

test('data, prose, and what is brought along or generated do not count', () => {
  expect(
    counted({
      ...{ 'README.md': 1, 'data.json': 1, 'ci.yml': 1, 'logo.svg': 1, LICENSE: 1, 'image.png': 1 },
      ...{ 'node_modules/x/a.js': 1, 'sub/vendor/b.go': 1, 'docs/conf.py': 1, 'app.min.js': 1, 'a.pb.go': 1 },
      ...{ 'empty.py': 0, 'main.py': 7 },
    }),
  ).toEqual({ Python: 7 });
});

test('an extension of several languages counts for the one with the most other files', () => {
  expect(counted({ 'a.h': 5 })).toEqual({ C: 5 });
  expect(counted({ 'a.h': 5, 'a.cpp': 1 })).toEqual({ 'C++': 6 });
  expect(counted({ 'a.h': 5, 'a.cpp': 1, 'a.c': 2 })).toEqual({ C: 7, 'C++': 1 });
  expect(counted({ 'a.rs': 1, 'b.pl': 2, 'c.cs': 3, 'd.html': 4, 'e.php': 5, 'f.m': 6 })).toEqual({
    ...{ Rust: 1, Perl: 2, 'C#': 3, HTML: 4, PHP: 5, 'Objective-C': 6 },
  });
});

test('the longest extension counts', () => {
  expect(counted({ 'a.blade.php': 1, 'b.php': 1 })).toEqual({ Blade: 1, PHP: 1 });
});

test('names that mean something to objects are names of files', () => {
  expect(counted({ __proto__: 1, constructor: 1, 'a.constructor': 1, '.': 1, '': 1 })).toEqual({});
});

test('shares are percent with two digits, the largest first', () => {
  const shares = sharesOf(
    new Map([
      ['A', 1],
      ['B', 2],
      ['C', 1_000_000],
    ]),
  );
  expect(Object.entries(shares)).toEqual([['C', 100]]);
  expect(
    Object.entries(
      sharesOf(
        new Map([
          ['A', 1],
          ['B', 2],
        ]),
      ),
    ),
  ).toEqual([
    ['B', 66.67],
    ['A', 33.33],
  ]);
  expect(sharesOf(new Map())).toEqual({});
});
