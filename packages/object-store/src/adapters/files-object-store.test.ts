import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { ObjectStoreUnavailableError } from '../object-store.ts';
import { describeObjectStore } from '../testing/object-store.contract.ts';
import { openFilesObjectStore } from './files-object-store.ts';

const base = await mkdtemp(join(tmpdir(), 'forgelog-objects-'));
afterAll(() => rm(base, { recursive: true }));
const SPACE = 4 * 1024 * 1024;
const mount = (folder: string) =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${SPACE}`, 'tmpfs', folder]).status === 0;
const mayMount = await mkdtemp(join(base, 'mount-')).then(
  (folder) => mount(folder) && spawnSync('umount', [folder]).status === 0,
);
const newFolder = () => mkdtemp(join(base, 'store-'));

describeObjectStore('files', async () => openFilesObjectStore({ folder: await newFolder() }));

test('objects are there when the folder is opened again', async () => {
  const folder = await newFolder();
  await openFilesObjectStore({ folder }).put('a/1', Buffer.from('kept'));
  await openFilesObjectStore({ folder }).append('a/log', 0, Buffer.from('one '));
  const again = openFilesObjectStore({ folder });
  expect(await again.append('a/log', 4, Buffer.from('two'))).toBe(7);
  expect((await Array.fromAsync(again.list('a/'))).map(({ key }) => key).sort()).toEqual(['a/1', 'a/log']);
});

test('lists what is below a prefix, and leaves no empty folder behind', async () => {
  const folder = await newFolder();
  const store = openFilesObjectStore({ folder });
  const keys = ['projects/7/12/1.log', 'projects/7/12/2.log', 'projects/7/123/1.log', 'projects/70/12/1.log'];
  for (const key of keys) await store.put(key, Buffer.from(key));
  const below = async (prefix: string) =>
    (await Array.fromAsync(store.list(prefix))).map(({ key }) => key).sort();
  expect(await below('projects/7/12/')).toEqual(keys.slice(0, 2));
  expect(await below('projects/7/12/2')).toEqual(keys.slice(1, 2));
  expect(await below('projects/7/12')).toEqual(keys.slice(0, 3));
  expect(await below('projects/7/')).toEqual(keys.slice(0, 3));
  expect(await below('projects/7')).toEqual(keys);
  expect(await below('projects/8/')).toEqual([]);
  for (const key of keys) await store.delete(key);
  expect(await readdir(folder)).toEqual(['incoming']);
});

test('objects are stored while others of their folder are deleted', async () => {
  const store = openFilesObjectStore({ folder: await newFolder() });
  const rounds = Array.from({ length: 60 }, (_, at) => `a/b/c/${at}`);
  await Promise.all(
    rounds.map(async (key) => {
      await store.put(key, Buffer.from('x'));
      await store.append(`${key}.log`, 0, Buffer.from('x'));
      await store.delete(key);
      await store.delete(`${key}.log`);
    }),
  );
  expect(await Array.fromAsync(store.list(''))).toEqual([]);
});

/** Writes an object piece by piece until it is killed. */
const WRITER = `
import { openFilesObjectStore } from ${JSON.stringify(join(import.meta.dirname, 'files-object-store.ts'))};
const body = async function* () {
  for (;;) {
    yield Buffer.alloc(65_536);
    process.stdout.write('.');
    await new Promise((done) => setTimeout(done, 5));
  }
};
await openFilesObjectStore({ folder: process.argv[1] }).put('a/1', body());
`;

test('an upload whose process is killed is not seen, and is cleared by its age', async () => {
  const folder = await newFolder();
  const child = spawn(process.execPath, ['--input-type=module', '-e', WRITER, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for (let written = 0; written < 3; ) written += (await once(child.stdout, 'data'))[0].length;
  child.kill('SIGKILL');
  await once(child, 'exit');
  const store = openFilesObjectStore({ folder });
  expect(await store.stat('a/1')).toBeNull();
  expect(await Array.fromAsync(store.list(''))).toEqual([]);
  expect(await readdir(join(folder, 'incoming'))).toHaveLength(1);
  await store.clearUnfinished(new Date(Date.now() - 3_600_000));
  expect(await readdir(join(folder, 'incoming'))).toHaveLength(1);
  await store.clearUnfinished(new Date(Date.now() + 1000));
  expect(await readdir(join(folder, 'incoming'))).toEqual([]);
});

test.skipIf(!mayMount)(
  'a full disk is a store that is away, and keeps nothing of what did not fit (needs to mount)',
  async () => {
    const folder = await newFolder();
    mount(folder);
    onTestFinished(() => void spawnSync('umount', ['-l', folder]));
    const store = openFilesObjectStore({ folder });
    await expect(store.put('a/large', tooMuch())).rejects.toThrow(ObjectStoreUnavailableError);
    expect(await readdir(join(folder, 'incoming'))).toEqual([]);
    await store.put('a/most', Buffer.alloc(SPACE - 512 * 1024));
    await expect(store.append('a/log', 0, Buffer.alloc(SPACE))).rejects.toThrow(ObjectStoreUnavailableError);
    await store.delete('a/log');
    expect((await Array.fromAsync(store.list(''))).map(({ key }) => key)).toEqual(['a/most']);
    expect(await store.append('a/log', 0, Buffer.from('fits'))).toBe(4);
  },
);

async function* tooMuch() {
  for (let sent = 0; sent < 2 * SPACE; sent += 65_536) yield Buffer.alloc(65_536);
}

test('a body that is not read to its end does not keep its file open', async () => {
  const store = openFilesObjectStore({ folder: await newFolder() });
  await store.put('a/1', Buffer.alloc(1_000_000));
  const openFiles = async () => (await readdir('/proc/self/fd')).length;
  const before = await openFiles();
  for (let round = 0; round < 20; round += 1) {
    const { body } = (await store.get('a/1'))!;
    body.destroy();
    await once(body, 'close');
  }
  expect(await openFiles()).toBeLessThanOrEqual(before + 2);
});
