import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFilesObjectStore } from '@forgelog/object-store/adapters/files-object-store.ts';
import { expect, onTestFinished, test } from 'vitest';
import { removeUnnamed } from './object-sweeper.ts';

const KEPT = ['a/1', 'a/3', 'a/5'];
const LEFT_BEHIND = ['a/0', 'a/2', 'a/4'];
const YOUNG = 'a/young';
const ELSEWHERE = 'b/other';
const now = new Date();
const clock = () => now;
const isKept = async (key: string) => KEPT.includes(key);

async function storeOfYesterday() {
  const folder = await mkdtemp(join(tmpdir(), 'forgelog-sweep-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const objects = openFilesObjectStore({ folder });
  for (const key of [...KEPT, ...LEFT_BEHIND, ELSEWHERE]) await objects.put(key, Buffer.from(key));
  const then = new Date(now.getTime() - 25 * 3_600_000);
  for (const file of await readdir(folder, { recursive: true })) await utimes(join(folder, file), then, then);
  await objects.put(YOUNG, Buffer.from(YOUNG));
  const keys = async () => (await Array.fromAsync(objects.list(''))).map(({ key }) => key).sort();
  return { folder, objects, keys };
}

/** Sweeps, and kills itself before or after the deletion of the object of this number. */
const KILLED = `
import { openFilesObjectStore } from '@forgelog/object-store/adapters/files-object-store.ts';
import { removeUnnamed } from ${JSON.stringify(join(import.meta.dirname, 'object-sweeper.ts'))};
const [folder, number, when, kept] = process.argv.slice(1);
const files = openFilesObjectStore({ folder });
let deleted = 0;
const objects = {
  list: (prefix) => files.list(prefix),
  clearUnfinished: (before) => files.clearUnfinished(before),
  async delete(key) {
    const isLast = ++deleted === Number(number);
    if (isLast && when === 'before') process.kill(process.pid, 'SIGKILL');
    await files.delete(key);
    if (isLast) process.kill(process.pid, 'SIGKILL');
  },
};
await removeUnnamed({ objects, clock: () => new Date(${now.getTime()}) }, 'a/', async (key) => kept.split(' ').includes(key));
`;

test.each([
  [1, 'before', LEFT_BEHIND.length],
  [1, 'after', LEFT_BEHIND.length - 1],
  [3, 'before', 1],
  [3, 'after', 0],
] as const)('killed at deletion %i, %s it, the next sweep ends the work', async (number, when, left) => {
  const { folder, objects, keys } = await storeOfYesterday();
  const child = spawn(
    process.execPath,
    ['--input-type=module', '-e', KILLED, folder, String(number), when, KEPT.join(' ')],
    { cwd: import.meta.dirname, stdio: 'inherit' },
  );
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
  const found = await keys();
  expect(found).toEqual(expect.arrayContaining([...KEPT, YOUNG, ELSEWHERE]));
  expect(found.filter((key) => LEFT_BEHIND.includes(key))).toHaveLength(left);
  await removeUnnamed({ objects, clock }, 'a/', isKept);
  expect(await keys()).toEqual([...KEPT, YOUNG, ELSEWHERE].sort());
});

test('a sweep that is stopped deletes nothing more', async () => {
  const { objects, keys } = await storeOfYesterday();
  const stop = new AbortController();
  const asked: string[] = [];
  const stopAtSecond = async (key: string) => {
    if (asked.push(key) === 2) stop.abort();
    return true;
  };
  await expect(removeUnnamed({ objects, clock }, 'a/', stopAtSecond, stop.signal)).rejects.toThrow('aborted');
  expect(asked).toHaveLength(2);
  expect(await keys()).toHaveLength(8);
});
