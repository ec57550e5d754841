import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const files = globSync(
  ['{packages,services,infra,bench,scripts,tests}/**/*.ts', 'docs/*.md', 'docs/adr/*.md', '*.md'],
  { cwd: root, exclude: (name) => name.includes('node_modules') },
);

/** What a pattern finds in all files, as `<file>: <what was found>`. */
const cited = (pattern: RegExp) =>
  files.flatMap((file) => [...read(file).matchAll(pattern)].map(([, found]) => ({ file, found: found! })));

test('a cited line of the specification has a rule or an endpoint', () => {
  const known = ['rules', 'endpoints'].flatMap(
    (name) => read(`docs/spec/${name}.md`).match(/\bL\d+\b/g) ?? [],
  );
  const ruled = new Set(known);
  const lines = cited(/(?:\[|api-v4 )((?:L\d+(?:, )?)+)/g).flatMap(({ file, found }) =>
    found.split(', ').map((line) => ({ file, line })),
  );
  expect(lines.length).toBeGreaterThan(200);
  expect(lines.filter(({ line }) => line !== '' && !ruled.has(line))).toEqual([]);
});

test('a cited section of the companions is there', () => {
  const sections = new Set(
    [...read('docs/spec/companions.md').matchAll(/^#{2,3} (\d+(?:\.\d+)?)/gm)].map(([, number]) => number),
  );
  const found = cited(/companions(?:\.md)? (\d+(?:\.\d+)?)/g);
  expect(found.length).toBeGreaterThan(50);
  expect(found.filter(({ found: section }) => !sections.has(section))).toEqual([]);
});

test('a cited ADR is there, and no decision is cited otherwise', () => {
  const records = new Set(
    globSync('docs/adr/*.md', { cwd: root }).map((file) => Number(file.split('/')[2]!.slice(0, 4))),
  );
  expect(cited(/\bADR (\d+)/g).filter(({ found }) => !records.has(Number(found)))).toEqual([]);
  expect(cited(/\((decision \d+)/g)).toEqual([]);
});

test('a file that the documentation names is there', () => {
  const documents = ['README.md', 'CONTRIBUTING.md', 'docs/architecture.md', 'docs/glossary.md'];
  const named = documents.flatMap((document) =>
    [...read(document).matchAll(/`((?:packages|services|tests|infra|docs)\/[\w./-]+)`/g)].map(([, path]) => ({
      document,
      path: path!,
    })),
  );
  expect(named.length).toBeGreaterThan(25);
  expect(named.filter(({ path }) => globSync(path, { cwd: root }).length === 0)).toEqual([]);
});
