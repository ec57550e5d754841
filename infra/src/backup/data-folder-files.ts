import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { listLoose } from '@forgelog/git/packs/loose-objects.ts';
import { repositoryPath } from '@forgelog/repo/repository-storage/repositories.ts';

/* What a backup takes of a data folder beside the log, as paths below it. Refs, HEAD and config follow from the log. */

const OF_PACK = /^pack-[0-9a-f]{40}\.(pack|idx|rev)$/;
const FAN = /^[0-9a-f]{2}$/;
const REPOSITORY = /^[0-9a-f]{64}\.git$/;

const REPOSITORIES = 'repositories';

export const repositoryFolder = (projectId: number): string => `${REPOSITORIES}/${repositoryPath(projectId)}`;

export async function* repositoryFolders(dataDir: string): AsyncGenerator<string, void> {
  const top = `${REPOSITORIES}/@hashed`;
  for (const outer of await namesIn(join(dataDir, top)))
    for (const inner of FAN.test(outer) ? await namesIn(join(dataDir, top, outer)) : [])
      for (const name of await namesIn(join(dataDir, top, outer, inner)))
        if (REPOSITORY.test(name)) yield `${top}/${outer}/${inner}/${name}`;
}

/**
 * Gives each file with objects of a repository, some twice, beside everything that goes on in it. Objects only move from
 * loose to packed, and from a pack into one that is there before: so loose ones first, then packs until none is new.
 * @returns false if the repository is gone
 */
export async function eachObjectFile(
  dataDir: string,
  repository: string,
  take: (paths: readonly string[]) => Promise<void>,
): Promise<boolean> {
  const objects = `${repository}/objects`;
  const loose = await listLoose(join(dataDir, objects));
  await take([
    ...loose.map((id) => `${objects}/${id.slice(0, 2)}/${id.slice(2)}`),
    // An operator may have made the repository depend on another folder.
    ...((await isThere(join(dataDir, objects, 'info/alternates'))) ? [`${objects}/info/alternates`] : []),
  ]);
  const taken = new Set<string>();
  for (;;) {
    const packs = (await namesIn(join(dataDir, objects, 'pack'))).filter(
      (name) => OF_PACK.test(name) && !taken.has(name),
    );
    if (packs.length === 0) return isThere(join(dataDir, objects));
    await take(packs.map((name) => `${objects}/pack/${name}`));
    for (const name of packs) taken.add(name);
  }
}

/** Artifacts, logs of jobs, uploads and avatars; not those that are being written. */
export async function* storedObjects(dataDir: string, folder = 'objects'): AsyncGenerator<string, void> {
  const entries = await readdir(join(dataDir, folder), { withFileTypes: true }).catch(ifMissing);
  for (const entry of entries ?? []) {
    const path = `${folder}/${entry.name}`;
    if (entry.isFile()) yield path;
    else if (path !== 'objects/incoming') yield* storedObjects(dataDir, path);
  }
}

const namesIn = async (folder: string) => (await readdir(folder).catch(ifMissing)) ?? [];

export const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

export function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
}
