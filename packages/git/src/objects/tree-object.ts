/** Parses and formats tree objects. */
export interface TreeItem {
  /** Six octal digits: 040000, 100644, 100755, 120000 (symbolic link), 160000 (submodule). */
  mode: string;
  /** Raw bytes: usually UTF-8, but git does not require it. */
  name: Buffer;
  oid: string;
}

export type EntryType = 'tree' | 'blob' | 'commit';

export function entryType(mode: string): EntryType {
  if (mode === '040000') return 'tree';
  return mode === '160000' ? 'commit' : 'blob';
}

export function parseTree(content: Buffer): TreeItem[] {
  const items: TreeItem[] = [];
  for (let at = 0; at < content.length; at = nextItem(content, at)) items.push(itemAt(content, at));
  return items;
}

/** Finds an item by name without parsing the others. */
export function findInTree(content: Buffer, name: Buffer): TreeItem | undefined {
  for (let at = 0; at < content.length; at = nextItem(content, at)) {
    const start = content.indexOf(SPACE, at) + 1;
    const end = start + name.length;
    if (content[end] === 0 && content.compare(name, 0, name.length, start, end) === 0)
      return itemAt(content, at);
  }
  return undefined;
}

const SPACE = 32;
const OID_BYTES = 20;

/** An item is its mode, a space, its name, a NUL and 20 bytes. */
function nextItem(content: Buffer, at: number): number {
  const zero = content.indexOf(0, at);
  if (zero < 0 || zero + OID_BYTES >= content.length) throw new Error('broken tree object');
  return zero + 1 + OID_BYTES;
}

function itemAt(content: Buffer, at: number): TreeItem {
  const space = content.indexOf(SPACE, at);
  const zero = content.indexOf(0, space);
  return {
    mode: content.toString('latin1', at, space).padStart(6, '0'),
    name: content.subarray(space + 1, zero),
    oid: content.toString('hex', zero + 1, nextItem(content, at)),
  };
}

/** Formats items in git's order: by name bytes, with `/` appended to folders. */
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
