/** Reads git's listing of the files of a tree. It imports nothing, since threads read it. */

const ENTRY = /^100\d{3} blob ([0-9a-f]+)\t([\s\S]*)$/;

export interface TreeFile {
  path: string;
  oid: string;
}

/** Regular files by path; a listing that was cut ends with its last whole entry. */
export function* parseTree(listing: Uint8Array): Generator<TreeFile> {
  for (let from = 0; ; ) {
    const end = listing.indexOf(0, from);
    if (end < 0) return;
    const line = Buffer.from(listing.buffer, listing.byteOffset + from, end - from).toString();
    const [, oid, path] = ENTRY.exec(line) ?? [];
    if (oid !== undefined) yield { oid, path: path! };
    from = end + 1;
  }
}
