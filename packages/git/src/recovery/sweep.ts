/** Removes leftovers of a killed git: a lock file blocks every later write to its ref. */
import type { Dirent } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Call only while nothing runs in the repository. Returns the removed paths, relative to it. `sweepFolder` removes
 * half-made repositories.
 */
export async function sweepRepository(gitDir: string): Promise<string[]> {
  const stale = await findStale(gitDir);
  for (const path of stale) await rm(join(gitDir, path), { recursive: true, force: true });
  return stale;
}

/** Lists what `sweepRepository` would remove. */
export async function findStale(gitDir: string): Promise<string[]> {
  const stale: string[] = [];
  await rests(gitDir, '', /\.lock$|^packed-refs\.new$/, stale);
  // Only locks: `packed-refs.new` is a valid branch name, and no valid name ends in `.lock`.
  await rests(gitDir, 'refs', /\.lock$/, stale);
  await rests(gitDir, 'objects/info', /\.lock$|^tmp_graph_/, stale);
  for (const entry of await list(join(gitDir, 'objects'))) {
    if (/^(tmp_objdir-|incoming-)/.test(entry.name)) stale.push(`objects/${entry.name}`);
    else if (/^([0-9a-f]{2}|pack)$/.test(entry.name)) {
      const names = (await list(join(gitDir, 'objects', entry.name))).map(({ name }) => name);
      for (const name of names)
        if (/^(tmp_|\.tmp-)/.test(name) || isAlone(name, names)) stale.push(`objects/${entry.name}/${name}`);
    }
  }
  return stale;
}

/** Whether an index has no pack. A pack without an index is kept, since it holds objects. */
function isAlone(name: string, among: readonly string[]): boolean {
  const pack = /^(pack-[0-9a-f]{40})\.(idx|rev)$/.exec(name)?.[1];
  return pack !== undefined && !among.includes(`${pack}.pack`);
}

/** Removes repositories in this folder whose creation or removal was interrupted. */
export async function sweepFolder(folder: string): Promise<string[]> {
  const stale = (await list(folder))
    .map(({ name }) => name)
    .filter((name) => /\.git\.(new|gone)-[0-9a-f]{12}$/.test(name));
  for (const name of stale) await rm(join(folder, name), { recursive: true, force: true });
  return stale;
}

/** Finds files by name in a folder and below, except in the repository's own top folder. */
async function rests(gitDir: string, folder: string, names: RegExp, into: string[]): Promise<void> {
  for (const entry of await list(join(gitDir, folder))) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      if (folder !== '') await rests(gitDir, path, names, into);
    } else if (names.test(entry.name)) into.push(path);
  }
}

async function list(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
