/** Reads the tree of a commit: one path, or a folder's entries. */
import { setImmediate } from 'node:timers/promises';
import { GitError } from '../errors.ts';
import { commitTreeId } from '../objects/commit-object.ts';
import { EMPTY_TREE } from '../objects/object-id.ts';
import {
  alongside,
  type EntryType,
  entryType,
  findInTree,
  parseTree,
  type TreeItem,
} from '../objects/tree-object.ts';
import { memoized } from '../process/memoize.ts';
import type { RepositoryContext } from '../repository-context.ts';
import { decodeText } from '../text.ts';
import { readablePath } from './tree-path.ts';

export interface TreeEntry {
  oid: string;
  /** The last segment. A name that is not UTF-8 is decoded as Latin-1 and cannot be requested. */
  name: string;
  path: string;
  type: EntryType;
  mode: string;
}

export interface TreeOptions {
  /** The folder to list. Default: the root. */
  path?: string;
  recursive?: boolean;
  offset?: number;
  limit?: number;
  /** `git`: like `git ls-tree -t`. `grouped`: trees, then blobs, then submodules, each in git's order. */
  order?: 'git' | 'grouped';
}

/** `total` is the number of entries found, at most `MAX_ENTRIES`. */
export interface TreeListing {
  entries: TreeEntry[];
  total: number;
  truncated: boolean;
}

/** The most entries that are read; a longer list is cut. */
const MAX_ENTRIES = 100_000;
const ENTRIES_A_TURN = 2_000;

export async function treeOf(context: RepositoryContext, commitOid: string): Promise<string> {
  return commitTreeId(await context.objects.need(commitOid, 'commit'));
}

/** Finds the entry at a path; undefined if there is none. The root is a tree with an empty path. */
export async function entryAt(
  context: RepositoryContext,
  commitOid: string,
  path: string,
): Promise<TreeEntry | undefined> {
  return memoized(context, ['entry', commitOid, path], () => findEntry(context, commitOid, path));
}

async function findEntry(
  context: RepositoryContext,
  commitOid: string,
  path: string,
): Promise<TreeEntry | undefined> {
  const segments = readablePath(path);
  if (!segments) return undefined;
  const root = await treeOf(context, commitOid);
  let entry: TreeEntry = { oid: root, name: '', path: '', type: 'tree', mode: '040000' };
  for (const segment of segments) {
    if (entry.type !== 'tree') return undefined;
    const item = await findItem(context, entry.oid, Buffer.from(segment));
    if (!item) return undefined;
    entry = toEntry(item, entry.path);
  }
  return entry;
}

/** Lists a folder; undefined if the path is not one. */
export async function listTree(
  context: RepositoryContext,
  commitOid: string,
  options: TreeOptions = {},
): Promise<TreeListing | undefined> {
  const folder = await entryAt(context, commitOid, options.path ?? '');
  if (folder?.type !== 'tree') return undefined;
  const found: TreeEntry[] = [];
  const complete = await collect(context, folder.oid, folder.path, options.recursive ?? false, found);
  const ordered = options.order === 'grouped' ? grouped(found) : found;
  const from = options.offset ?? 0;
  const entries = ordered.slice(from, from + (options.limit ?? ordered.length));
  return { entries, total: found.length, truncated: !complete };
}

/** Appends entries in git's order, a folder before its content. Returns false at the bound. */
async function collect(
  context: RepositoryContext,
  treeOid: string,
  path: string,
  recursive: boolean,
  into: TreeEntry[],
): Promise<boolean> {
  for (const item of await readTree(context, treeOid)) {
    if (into.length >= MAX_ENTRIES) return false;
    const entry = toEntry(item, path);
    into.push(entry);
    // Yield to other requests: cached trees are read without any I/O.
    if (into.length % ENTRIES_A_TURN === 0) await setImmediate();
    if (recursive && entry.type === 'tree' && !(await collect(context, entry.oid, entry.path, true, into)))
      return false;
  }
  return true;
}

export async function readTree(context: RepositoryContext, oid: string): Promise<TreeItem[]> {
  if (oid === EMPTY_TREE) return [];
  const content = await context.objects.need(oid, 'tree');
  return parsed(oid, () => parseTree(content));
}

/** What `alongside` yields for trees. */
export async function readAlongside(context: RepositoryContext, oids: readonly string[]) {
  const read = async (oid: string) => (oid === EMPTY_TREE ? NOTHING : context.objects.need(oid, 'tree'));
  const trees = await Promise.all(oids.map(read));
  return parsed(oids.join(', '), () => [...alongside(trees)]);
}

const NOTHING = Buffer.alloc(0);

async function findItem(
  context: RepositoryContext,
  oid: string,
  name: Buffer,
): Promise<TreeItem | undefined> {
  if (oid === EMPTY_TREE) return undefined;
  const content = await context.objects.need(oid, 'tree');
  return parsed(oid, () => findInTree(content, name));
}

function parsed<T>(oid: string, parse: () => T): T {
  try {
    return parse();
  } catch (cause) {
    throw new GitError('broken_object', `tree ${oid} cannot be read`, { cause });
  }
}

function toEntry(item: TreeItem, parent: string): TreeEntry {
  const name = decodeText(item.name);
  const path = parent === '' ? name : `${parent}/${name}`;
  return { oid: item.oid, name, path, type: entryType(item.mode), mode: item.mode };
}

function grouped(entries: TreeEntry[]): TreeEntry[] {
  return (['tree', 'blob', 'commit'] as const).flatMap((type) =>
    entries.filter((entry) => entry.type === type),
  );
}
