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
  const sorted = items
    .map((item) => ({ item, key: sortKey(item) }))
    .sort((a, b) => Buffer.compare(a.key, b.key));
  return Buffer.concat(sorted.map(({ item }) => formatItem(item)));
}

export const formatItem = ({ mode, name, oid }: TreeItem): Buffer =>
  Buffer.concat([Buffer.from(`${mode.replace(/^0+/, '')} `), name, ZERO, Buffer.from(oid, 'hex')]);

const sortKey = ({ mode, name }: TreeItem): Buffer =>
  mode === '040000' ? Buffer.concat([name, SLASH]) : name;

const SLASH = Buffer.from('/');
const ZERO = Buffer.alloc(1);

/** Yields runs of bytes that all trees have, and other items one by one, of each tree. A file and a folder are two. */
export function* alongside(trees: readonly Buffer[]): Generator<Buffer | (TreeItem | undefined)[]> {
  const cursors = trees.map((content) => ({ content, at: 0 }));
  const [first, ...others] = cursors as [Cursor, ...Cursor[]];
  for (;;) {
    const begin = first.at;
    while (first.at < first.content.length) {
      const end = nextItem(first.content, first.at);
      if (!others.every((other) => hasNext(other, first, end))) break;
      for (const other of others) other.at += end - first.at;
      first.at = end;
    }
    if (first.at > begin) yield first.content.subarray(begin, first.at);
    const items = cursors.map(({ content, at }) => (at < content.length ? itemAt(content, at) : undefined));
    const keys = items.map((item) => item && sortKey(item));
    const least = keys.filter((key) => key !== undefined).sort(Buffer.compare)[0];
    if (!least) return;
    const isLeast = keys.map((key) => key?.equals(least) ?? false);
    for (const [at, cursor] of cursors.entries())
      if (isLeast[at]) cursor.at = nextItem(cursor.content, cursor.at);
    yield items.map((item, at) => (isLeast[at] ? item : undefined));
  }
}

interface Cursor {
  content: Buffer;
  at: number;
}

const hasNext = ({ content, at }: Cursor, like: Cursor, end: number): boolean =>
  at + end - like.at <= content.length &&
  content.compare(like.content, like.at, end, at, at + end - like.at) === 0;
