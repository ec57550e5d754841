/** A tree object, to and from its bytes. */
export type TreeItem = {
  /** Six octal digits: 040000, 100644, 100755, 120000 (symbolic link), 160000 (commit of another repository). */
  mode: string;
  /** The name's bytes: most often UTF-8, but git asks for nothing. */
  name: Buffer;
  oid: string;
};

export type EntryType = 'tree' | 'blob' | 'commit';

export function entryType(mode: string): EntryType {
  if (mode === '040000') return 'tree';
  return mode === '160000' ? 'commit' : 'blob';
}

export function parseTree(content: Buffer): TreeItem[] {
  const items: TreeItem[] = [];
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(32, at);
    const zero = content.indexOf(0, space);
    if (space < 0 || zero < 0) throw new Error('broken tree object');
    items.push({
      mode: content.toString('latin1', at, space).padStart(6, '0'),
      name: content.subarray(space + 1, zero),
      oid: content.toString('hex', zero + 1, zero + 21),
    });
    at = zero + 21;
  }
  return items;
}

/** The bytes of a tree of these items, in git's order: by name bytes, a tree as if its name ended in `/`. */
export function formatTree(items: TreeItem[]): Buffer {
  const sortKey = (item: TreeItem) =>
    item.mode === '040000' ? Buffer.concat([item.name, SLASH]) : item.name;
  const sorted = items
    .map((item) => ({ item, key: sortKey(item) }))
    .sort((a, b) => Buffer.compare(a.key, b.key));
  return Buffer.concat(
    sorted.flatMap(({ item }) => [
      Buffer.from(`${item.mode.replace(/^0+/, '')} `),
      item.name,
      ZERO,
      Buffer.from(item.oid, 'hex'),
    ]),
  );
}

const SLASH = Buffer.from('/');
const ZERO = Buffer.alloc(1);
