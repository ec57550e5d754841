import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

const FOLDERS_AT_ONCE = 32;

/** Ids of loose objects in a folder of objects, at most about `most`. */
export async function listLoose(objects: string, most = Number.POSITIVE_INFINITY): Promise<string[]> {
  const loose: string[] = [];
  const fans = (await namesIn(objects)).filter((name) => /^[0-9a-f]{2}$/.test(name)).sort();
  for (let from = 0; from < fans.length && loose.length < most; from += FOLDERS_AT_ONCE) {
    const some = fans.slice(from, from + FOLDERS_AT_ONCE);
    const found = await Promise.all(some.map((fan) => namesIn(join(objects, fan))));
    for (const [at, names] of found.entries())
      for (const name of names) if (/^[0-9a-f]{38}$/.test(name)) loose.push(`${some[at]}${name}`);
  }
  return loose;
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
}
