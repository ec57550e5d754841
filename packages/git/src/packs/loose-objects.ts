import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Ids of loose objects in a folder of objects, at most about `most`. */
export async function listLoose(objects: string, most = Number.POSITIVE_INFINITY): Promise<string[]> {
  const loose: string[] = [];
  const fans = (await namesIn(objects)).filter((name) => /^[0-9a-f]{2}$/.test(name)).sort();
  for (const fan of fans) {
    if (loose.length >= most) break;
    for (const name of await namesIn(join(objects, fan)))
      if (/^[0-9a-f]{38}$/.test(name)) loose.push(`${fan}${name}`);
  }
  return loose;
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
}
