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
