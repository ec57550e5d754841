/** Lists the files of a commit with their sizes, as git prints them. */

import type { RepositoryContext } from '../repository-context.ts';
import { entryAt } from './tree-reader.ts';

/** About 300,000 files. */
const MAX_BYTES = 32 * 1024 * 1024;
const ENTRY = /^(\d{6}) (\w+) [0-9a-f]+ +(\d+|-)\t([\s\S]*)$/;

/** Git's own listing: `parseFileSizes` reads it, in another thread where it is long. */
export interface FileListing {
  /** Names the content: equal ids mean equal files. */
  treeOid: string;
  read(): Promise<Uint8Array>;
}

export async function fileListing(context: RepositoryContext, commitOid: string): Promise<FileListing> {
  const { oid: treeOid } = (await entryAt(context, commitOid, ''))!;
  return {
    treeOid,
    async read() {
      const args = ['ls-tree', '-r', '-l', '-z', '--full-tree', treeOid];
      const { stdout } = await context.runner.capture(context, args, { weight: 'walk', maxBytes: MAX_BYTES });
      return stdout;
    },
  };
}

/** Regular files with their bytes; a listing that was cut ends with its last whole entry. */
export function* parseFileSizes(listing: Uint8Array): Generator<{ path: string; size: number }> {
  for (let from = 0; ; ) {
    const end = listing.indexOf(0, from);
    if (end < 0) return;
    const line = Buffer.from(listing.buffer, listing.byteOffset + from, end - from).toString();
    const [, mode, , size, path] = ENTRY.exec(line) ?? [];
    if (mode?.startsWith('100')) yield { path: path!, size: Number(size) };
    from = end + 1;
  }
}
