import { gzipSync } from 'node:zlib';
import { openMemoryObjectStore } from '@forgelog/object-store/adapters/memory-object-store.ts';
import type { ObjectStore } from '@forgelog/object-store/object-store.ts';
import { stringify } from 'flatted';
import { expect, test } from 'vitest';
import { loadDefinitions, storeDefinitions } from './definitions-object.ts';

const OWNER = { projectId: 7, pipelineId: 1 };

/** A store that counts what is read, and definitions in it. */
async function stored(value: string) {
  const store = openMemoryObjectStore();
  let reads = 0;
  const objects: ObjectStore = {
    ...store,
    get(...asked) {
      reads += 1;
      return store.get(...asked);
    },
  };
  const variables = [{ key: 'KEY', value, public: true, masked: false, file: false }];
  const definitions = gzipSync(stringify({ version: 1, predefined: [], variables, jobs: [] }));
  const sha256 = await storeDefinitions(store, OWNER, definitions);
  return { objects, sha256, reads: () => reads };
}

test('definitions are read once for many that ask at the same time and later', async () => {
  const { objects, sha256, reads } = await stored('small');
  const load = () => loadDefinitions(objects, OWNER, sha256);
  const [first, ...others] = await Promise.all([load(), load(), load()]);
  expect(first).toMatchObject({ variables: [{ value: 'small' }] });
  expect([...others, await load()].every((one) => one === first)).toBe(true);
  expect(reads()).toBe(1);
});

test('very large definitions are read each time, however small they are stored', async () => {
  const value = 'x'.repeat(9 * 1024 * 1024);
  const { objects, sha256, reads } = await stored(value);
  for (const count of [1, 2]) {
    expect((await loadDefinitions(objects, OWNER, sha256)).variables[0]!.value).toBe(value);
    expect(reads()).toBe(count);
  }
});

test('a missing object is an error each time, until it is restored', async () => {
  const { objects, sha256, reads } = await stored('restored');
  const empty = openMemoryObjectStore();
  for (let time = 0; time < 2; time += 1)
    await expect(loadDefinitions(empty, OWNER, sha256)).rejects.toThrow(/7\/1\/definitions.*is missing/);
  await loadDefinitions(objects, OWNER, sha256);
  expect(reads()).toBe(1);
});
