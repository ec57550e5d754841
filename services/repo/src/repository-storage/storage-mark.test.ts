import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { requireFolderOf } from './storage-mark.ts';

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'forgelog-storage-'));
  onTestFinished(() => rm(made, { recursive: true, force: true }));
  return join(made, 'repositories');
}

test('a folder belongs to the first storage that used it', async () => {
  const root = await folder();
  await requireFolderOf(root, 'second');
  await requireFolderOf(root, 'second');
  expect(await readFile(join(root, 'storage'), 'utf8')).toBe('second\n');
  await expect(requireFolderOf(root, 'default')).rejects.toThrow(
    `STORAGE: ${root} holds the repositories of second, not those of default`,
  );
});

test('repositories without a mark are those of the default storage', async () => {
  const root = await folder();
  await mkdir(join(root, '@hashed/ab'), { recursive: true });
  await expect(requireFolderOf(root, 'second')).rejects.toThrow('holds the repositories of default');
  await requireFolderOf(root, 'default');
  expect(await readFile(join(root, 'storage'), 'utf8')).toBe('default\n');
});
