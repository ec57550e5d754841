import { mkdir, open, readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { DEFAULT_STORAGE } from '@forgelog/contracts/repo/projects/project.events.ts';
import { syncFolder } from '@forgelog/git/objects/loose-object-writer.ts';
import { ConfigurationError } from '@forgelog/service-kit/configuration.ts';

const MARK = 'storage';

/**
 * Marks a folder of repositories with the name of its storage. In another storage's folder every repository would seem
 * lost and be recreated empty. A folder without a mark is new, or older than storages.
 * @throws ConfigurationError if the folder belongs to another storage
 */
export async function requireFolderOf(root: string, storage: string): Promise<void> {
  const mark = join(root, MARK);
  const marked = await readFile(mark, 'utf8').catch(() => undefined);
  const held = marked?.trim() ?? ((await hasRepositories(root)) ? DEFAULT_STORAGE : storage);
  if (held !== storage)
    throw new ConfigurationError(
      `STORAGE: ${root} holds the repositories of ${held}, not those of ${storage}. Each storage needs a DATA_DIR of its own.`,
    );
  if (marked !== undefined) return;
  await mkdir(root, { recursive: true });
  const file = await open(`${mark}.new`, 'w', 0o644);
  try {
    await file.writeFile(`${storage}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${mark}.new`, mark);
  await syncFolder(root);
}

const hasRepositories = (root: string) =>
  readdir(join(root, '@hashed')).then(
    (found) => found.length > 0,
    () => false,
  );
