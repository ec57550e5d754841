import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { errorTable } from '@forgelog/contracts/error-table.ts';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

test('every row of the error table, and so of the reference, is a refusal that something throws', () => {
  const sources = globSync('{packages,services}/*/src/**/*.ts', { cwd: root })
    .filter((file) => !file.includes('node_modules') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(root, file), 'utf8'));
  const thrown = new Set(
    sources.flatMap((text) =>
      // What never becomes a request is refused where connections are.
      [...text.matchAll(/(?:new Rejection\(\s*'|errorTable\.)(\w+)/g)].map(([, code]) => code!),
    ),
  );
  expect([...thrown].sort()).toEqual(Object.keys(errorTable).sort());
});
