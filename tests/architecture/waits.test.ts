import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const files = globSync(
  ['{packages,services,infra}/**/*.test.ts', 'packages/*/src/testing/*.ts', 'tests/**/*.ts'],
  {
    cwd: root,
    exclude: (name) => name.includes('node_modules'),
  },
);

/** This file, and a program of its own that its test ends. */
const EXEMPT = ['tests/architecture/waits.test.ts', 'tests/support/packing-server.ts'];

/** A loop that only passes time: `while (…) await sleep(…);`, `while (…);`. */
const CONDITION = /\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/.source;
const IDLE_LOOP = new RegExp(`^\\s*while ${CONDITION}(;| await (sleep|setTimeout|new Promise)\\b.*;)$`);
/** Gives up after one second by default, which a busy machine takes. */
const IMPATIENT = /\bvi\.wait(For|Until)\((?!.*timeout)/;

const linesLike = (pattern: RegExp) =>
  files
    .filter((file) => !EXEMPT.includes(file))
    .flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .flatMap((line, at) => (pattern.test(line) ? [`${file}:${at + 1}: ${line.trim()}`] : [])),
    );

test('waits that never end, or end too soon, are recognised', () => {
  for (const line of ['  while ((await status()) === 200);', 'while (!isSo()) await sleep(5);'])
    expect(line).toMatch(IDLE_LOOP);
  expect('while (left) await once(socket, "data");').not.toMatch(IDLE_LOOP);
  expect('await vi.waitFor(() => expect(closed).toHaveBeenCalled());').toMatch(IMPATIENT);
  expect('await vi.waitUntil(found, { timeout: 60_000 })').not.toMatch(IMPATIENT);
  expect(files.length).toBeGreaterThan(300);
});

test('tests wait by expect.poll, or by eventually where there is more to tell', () => {
  expect([...linesLike(IDLE_LOOP), ...linesLike(IMPATIENT)]).toEqual([]);
});
