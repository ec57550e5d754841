import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const manifests = globSync('{packages/*,services/*,infra}/package.json', { cwd: root }).sort();

interface Part {
  name: string;
  folder: string;
  exports: Readonly<Record<string, string>>;
}

const parts: Part[] = manifests
  .map((file) => ({ folder: file.replace(/package\.json$/, ''), ...readManifest(file) }))
  .filter(({ name }) => name.startsWith('@forgelog/'));

function readManifest(file: string): Pick<Part, 'name' | 'exports'> {
  return JSON.parse(readFileSync(join(root, file), 'utf8'));
}

/** What each part is asked for by the others, as `./file.ts`. */
const wanted = new Map<string, Set<string>>();
const sources = globSync('{packages,services,infra,tests,bench,scripts}/**/*.{ts,mjs}', {
  cwd: root,
  exclude: (path) => path.includes('node_modules'),
});
for (const file of sources) {
  for (const [, name, path] of readFileSync(join(root, file), 'utf8').matchAll(
    /'(@forgelog\/[\w-]+)\/([^']+)'/g,
  )) {
    if (file.startsWith(parts.find((part) => part.name === name)?.folder ?? '-')) continue;
    wanted.set(name!, (wanted.get(name!) ?? new Set()).add(`./${path}`));
  }
}

const covers = (exported: string, path: string) =>
  exported.endsWith('/*') ? path.startsWith(exported.slice(0, -1)) : path === exported;

test.each(parts)('$name exports a list: what others import, and no more', ({ name, exports }) => {
  const paths = [...(wanted.get(name) ?? [])];
  const entries = Object.keys(exports);
  expect(entries).not.toContain('./*');
  const missing = paths.filter((path) => !entries.some((exported) => covers(exported, path)));
  expect(missing, `to be added to "exports" of ${name}`).toEqual([]);
  const unused = entries.filter((exported) => !paths.some((path) => covers(exported, path)));
  expect(unused, `exported by ${name} and imported by nobody`).toEqual([]);
});
