import { globSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const exclude = (path: string) => path.includes('node_modules');
const sources = new Set(
  globSync('{packages,services,infra,tests,bench,scripts}/**/*.{ts,mjs}', { cwd: root, exclude }).map(
    (file) => basename(file),
  ),
);
const documents = globSync(['*.md', 'docs/**/*.md', 'infra/**/*.md'], { cwd: root, exclude }).filter(
  (file) => !file.startsWith('docs/spec/'),
);

test('files that documents name are there', () => {
  const named = documents.flatMap((document) =>
    [...readFileSync(join(root, document), 'utf8').matchAll(/`((?:[\w.-]+\/)*[\w-][\w.-]*\.ts)`/g)].map(
      ([, file]) => ({ document, file: file! }),
    ),
  );
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter(({ file }) => !sources.has(basename(file)))).toEqual([]);
});

test('each command is in README or CONTRIBUTING, and each one that a document names is there', () => {
  const textOf = (file: string) => readFileSync(join(root, file), 'utf8');
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
  const commands = new Set(Object.keys(scripts));
  const namedIn = (file: string) =>
    [...textOf(file).matchAll(/\bnpm (?:run (?:-s )?([\w:]+)|(start|test)\b)/g)].map(
      ([, script, shorthand]) => (script ?? shorthand)!,
    );
  const told = new Set(['README.md', 'CONTRIBUTING.md'].flatMap(namedIn));
  expect([...commands].filter((command) => !told.has(command))).toEqual([]);
  const named = documents.flatMap((document) => namedIn(document).map((command) => ({ document, command })));
  expect(named.filter(({ command }) => !commands.has(command))).toEqual([]);
});
