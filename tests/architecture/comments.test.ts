import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/** Folders in plain words, each with the most comment lines it may have, in percent of its lines. Add folders. */
const FOLDERS: Readonly<Record<string, number>> = {
  'packages/contracts/src': 6,
  'infra/local': 11.9,
  'infra/src': 6.7,
  'packages/directory/src': 6.8,
  'packages/eventing/src': 7.5,
  'packages/host/src': 9,
  'packages/object-store/src': 9,
  'packages/service-kit/src': 9.3,
  'packages/ci-config/src': 6.7,
  'packages/git/src/history': 10.6,
  'packages/git/src/objects': 10.5,
  'packages/git/src/process': 11.9,
  'packages/git/src/packs': 13.2,
  'packages/git/src/refs': 13.8,
  'packages/git/src/transport': 11.9,
  'services/admin/src': 5.5,
  'services/ci/src': 5,
  'services/gateway/src': 8.8,
  'services/repo/src': 7.6,
  'services/tracker/src': 7.5,
  bench: 6.4,
};

const FRAGMENT = /^(Of|Who|Whose|Whom|Whoever|Whatever)\b/;
const MOST_WORDS = 40;

interface Comment {
  isDoc: boolean;
  lines: number;
  text: string;
}

/** Comments on lines of their own; a line comment counts by itself. */
function commentsOf(source: string): Comment[] {
  const found = source.matchAll(/^[ \t]*(?:\/\/(.*)|\/\*(\*?)([\s\S]*?)\*\/)/gm);
  return [...found].map(([whole, line, star, block]) => ({
    isDoc: star === '*',
    lines: whole.split('\n').length,
    text: (line ?? block ?? '').replace(/^\s*\*+ ?/gm, '').trim(),
  }));
}

/** A full stop, a blank line or a tag ends a sentence; a semicolon does not. */
function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?])\s|\n\s*\n|\s(?=@)/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}

const wordsOf = (sentence: string) => sentence.split(/\s+/).length;
const linesOf = (source: string) => source.split('\n').filter((line) => line.trim() !== '').length;

function filesIn(folder: string): { file: string; source: string }[] {
  return globSync(`${folder}/**/*.ts`, { cwd: root, exclude: (name) => name.includes('node_modules') })
    .sort()
    .map((file) => ({ file, source: readFileSync(join(root, file), 'utf8') }));
}

const docs = Object.keys(FOLDERS)
  .flatMap(filesIn)
  .flatMap(({ file, source }) => commentsOf(source).map((comment) => ({ file, ...comment })))
  .filter(({ isDoc }) => isDoc)
  .map(({ file, text }) => ({ file, text }));

test('comments and their sentences are recognised', () => {
  const source = `/**
 * One sentence; still the same.
 * @throws Error
 */
const a = '/* no comment */'; // not on a line of its own
  // Another one.`;
  expect(commentsOf(source)).toEqual([
    { isDoc: true, lines: 4, text: 'One sentence; still the same.\n@throws Error' },
    { isDoc: false, lines: 1, text: 'Another one.' },
  ]);
  expect(sentencesOf('One sentence; still the same.\n@throws Error')).toEqual([
    'One sentence; still the same.',
    '@throws Error',
  ]);
  expect(docs.length).toBeGreaterThan(500);
});

test('no doc comment begins as a fragment', () => {
  expect(docs.filter(({ text }) => FRAGMENT.test(text))).toEqual([]);
});

test(`no sentence of a doc comment has more than ${MOST_WORDS} words`, () => {
  expect(docs.filter(({ text }) => sentencesOf(text).some((one) => wordsOf(one) > MOST_WORDS))).toEqual([]);
});

test.each(Object.entries(FOLDERS))('comments in %s take at most %d percent of the lines', (folder, most) => {
  const sources = filesIn(folder)
    .filter(({ file }) => !/\.test\.ts$|\/testing\//.test(file))
    .map(({ source }) => source);
  const comments = sources.flatMap(commentsOf).reduce((sum, { lines }) => sum + lines, 0);
  const lines = sources.reduce((sum, source) => sum + linesOf(source), 0);
  expect(lines).toBeGreaterThan(250);
  expect(
    (100 * comments) / lines,
    'delete comments that say again what names say, in the folder as a whole',
  ).toBeLessThanOrEqual(most);
});
