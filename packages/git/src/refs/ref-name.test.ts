import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { isOid, isShortOid } from '../objects/object-id.ts';
import { STOCK_ENV } from '../testing/stock-git.ts';
import { isSafePath, normalizePath, readablePath } from '../trees/tree-path.ts';
import { isValidBranchName, isValidRefName, refNameProblem } from './ref-name.ts';

const HOSTILE_BRANCHES = [
  '',
  '-x',
  '--upload-pack=x',
  'a..b',
  'a b',
  'a~1',
  'a^',
  'a:b',
  'a?',
  'a*',
  'a[b',
  'a\\b',
  'a@{1}',
  '@',
  'HEAD',
  '/a',
  'a/',
  'a//b',
  '.a',
  'a/.b',
  'a.',
  'a.lock',
  'a.lock/b',
  'a\0b',
  'a\nb',
  'a\x7fb',
  'a\tb',
  'refs/heads/x',
  'refs/x',
  '0123456789abcdef0123456789abcdef01234567',
  '0123456789ABCDEF0123456789ABCDEF01234567',
  'a'.repeat(64),
  'A'.repeat(64),
  'aB'.repeat(32),
  `${'a'.repeat(40)}-x`,
  `${'a'.repeat(40)}/x`,
  `${'a'.repeat(64)}/x`,
  'caf\ufffd',
  '\ud800',
  `${'a'.repeat(251)}`,
  `${'a/'.repeat(600)}b`,
];
const GOOD_BRANCHES = [
  'main',
  'a/b',
  'feature/x.y-z_1',
  'grüße',
  'a@b',
  '世界',
  'v1.0',
  'a{b}',
  '0123456',
  'heads/x',
  'a'.repeat(39),
  `x-${'a'.repeat(40)}`,
  `x/${'a'.repeat(64)}`,
  "it's",
  'a"b',
  '%2e%2e',
  'HEAD/x',
  'a=b',
];

describe('names of refs', () => {
  test.each(HOSTILE_BRANCHES)('refuses to create the branch %j', (name) => {
    expect(isValidBranchName(name)).toBe(false);
    expect(refNameProblem(`refs/heads/${name}`)).toBeTruthy();
    expect(refNameProblem(`refs/tags/${name}`)).toBeTruthy();
  });

  test.each(GOOD_BRANCHES)('creates the branch %j', (name) => {
    expect(isValidBranchName(name)).toBe(true);
    expect(refNameProblem(`refs/heads/${name}`)).toBeUndefined();
    expect(refNameProblem(`refs/tags/${name}`)).toBeUndefined();
  });

  test('accepts the same names as git', () => {
    const pieces = [
      'a',
      'B',
      '/',
      '.',
      '..',
      '-',
      '@',
      '{',
      '@{',
      '~',
      '^',
      ':',
      '?',
      '*',
      '[',
      '\\',
      ' ',
      '.lock',
      'é',
      '"',
    ];
    const refs = pieces.flatMap((first) =>
      pieces.flatMap((second) => [`refs/heads/${first}${second}x`, `refs/heads/x${first}${second}`]),
    );
    // One shell asks for all of them: a process is costly to start from this one, which is large.
    const script = 'while IFS= read -r ref; do git check-ref-format "$ref" && echo true || echo false; done';
    const input = refs.map((ref) => `${ref}\n`).join('');
    const verdicts = execFileSync('sh', ['-c', script], { env: STOCK_ENV, input, encoding: 'utf8' });
    const accepted = verdicts.trimEnd().split('\n');
    expect(refs.map((ref) => [ref, String(isValidRefName(ref))])).toEqual(
      refs.map((ref, at) => [ref, accepted[at]]),
    );
  });

  test('recognises object ids', () => {
    expect(
      ['a'.repeat(40), 'A'.repeat(40), 'a'.repeat(39), `${'a'.repeat(40)}\n`, 'g'.repeat(40)].map(isOid),
    ).toEqual([true, false, false, false, false]);
    expect(
      ['a'.repeat(7), 'a'.repeat(6), 'a'.repeat(39), 'a'.repeat(40), '-aaaaaaa'].map(isShortOid),
    ).toEqual([true, false, true, false, false]);
  });
});

const HOSTILE_PATHS = [
  '',
  '/',
  '/a',
  'a/',
  'a//b',
  '.',
  '..',
  'a/../b',
  './a',
  'a/.',
  '.git',
  '.git/config',
  'a/.git/hooks/x',
  '.GIT/x',
  '.gIt',
  'git~1',
  'GIT~1/config',
  '.git ',
  '.git.',
  '.git . .',
  '.git::$INDEX_ALLOCATION',
  '.git:x',
  'git~1.',
  '.g\u200cit',
  '\u200e.git',
  '.git\ufeff',
  'a\0b',
  'a\\b',
  '..\\x',
  '\ud800',
  'caf\ufffd',
  `${'a'.repeat(256)}`,
  `${'a/'.repeat(3000)}b`,
];
const GOOD_PATHS = [
  'a',
  'a/b.c',
  '.gitignore',
  '.gitmodules',
  'a/.github/x',
  'with space',
  '%2e%2e/x',
  '...',
  '..a',
  'a..',
  'grüße 世界',
  '-rf',
  '.git-x',
  'new\nline',
  'git~10',
];

describe('paths', () => {
  test.each(HOSTILE_PATHS)('refuses to write %j', (path) => expect(isSafePath(path)).toBe(false));
  test.each(GOOD_PATHS)('writes %j', (path) => expect(isSafePath(path)).toBe(true));

  test('normalises slashes and nothing else', () => {
    expect(['/a//b/', 'a', '', '//', 'a/../b', 'a b'].map(normalizePath)).toEqual([
      'a/b',
      'a',
      '',
      '',
      'a/../b',
      'a b',
    ]);
  });

  test('reads any path that a tree can hold, and no other', () => {
    expect(readablePath('/a/.git/x/')).toEqual(['a', '.git', 'x']);
    expect(readablePath('')).toEqual([]);
    expect(['a/../b', '.', 'a\0'].map(readablePath)).toEqual([undefined, undefined, undefined]);
  });
});
