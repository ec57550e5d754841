/**
 * Merges trees without a process, where git would not look into a file: no path is changed by both sides, and neither
 * side can have renamed one.
 */
import { type NewObject, newObject } from '../objects/loose-object-writer.ts';
import { EMPTY_TREE } from '../objects/object-id.ts';
import { formatItem, formatTree, type TreeItem } from '../objects/tree-object.ts';
import type { RepositoryContext } from '../repository-context.ts';
import { readAlongside } from './tree-reader.ts';

export interface PlainMerge {
  treeOid: string;
  /** Trees that the repository may lack. */
  objects: NewObject[];
}

/** Ids of trees. */
interface Sides {
  base: string;
  ours: string;
  theirs: string;
}

/** The most folders that are read before the merge is left to git. */
const MOST_FOLDERS = 300;
const FOLDER = '040000';

/** Undefined where git has to merge. */
export async function plainMerge(context: RepositoryContext, trees: Sides): Promise<PlainMerge | undefined> {
  const objects: NewObject[] = [];
  const changes = { ours: new SideChanges(), theirs: new SideChanges() };
  let folders = 0;

  async function merged(sides: Sides): Promise<string | undefined> {
    folders += 3;
    if (folders > MOST_FOLDERS) return undefined;
    const parts: Buffer[] = [];
    const names = new Set<string>();
    for (const part of await readAlongside(context, [sides.base, sides.ours, sides.theirs])) {
      if (Buffer.isBuffer(part)) {
        parts.push(part);
        continue;
      }
      const item = await mergedItem(part[0], part[1], part[2]);
      if (item === 'git') return undefined;
      if (!item) continue;
      const name = item.name.toString('latin1');
      // One side adds a file and the other one a folder of that name.
      if (names.has(name)) return undefined;
      names.add(name);
      parts.push(formatItem(item));
    }
    if (parts.length === 0) return EMPTY_TREE;
    const tree = newObject('tree', Buffer.concat(parts));
    if (tree.oid !== sides.ours && tree.oid !== sides.theirs) objects.push(tree);
    return tree.oid;
  }

  /** @returns undefined where nothing is left */
  async function mergedItem(
    base: TreeItem | undefined,
    ours: TreeItem | undefined,
    theirs: TreeItem | undefined,
  ): Promise<TreeItem | undefined | 'git'> {
    const [isOurs, isTheirs] = [!isSame(base, ours), !isSame(base, theirs)];
    if (!isOurs && !isTheirs) return base;
    // Also what one side alone changed is looked into: its additions and deletions may be renames.
    if (isFolder(ours) && isFolder(theirs) && (isFolder(base) || (!base && !isSame(ours, theirs)))) {
      const oid = await merged({ base: base?.oid ?? EMPTY_TREE, ours: ours.oid, theirs: theirs.oid });
      if (oid === undefined) return 'git';
      return oid === EMPTY_TREE ? undefined : { ...ours, oid };
    }
    if (isOurs && isTheirs && !isSame(ours, theirs)) return 'git';
    if (isOurs && !changes.ours.take(base, ours)) return 'git';
    if (isTheirs && !changes.theirs.take(base, theirs)) return 'git';
    return isOurs ? ours : theirs;
  }

  const treeOid = await merged(trees);
  if (treeOid === undefined) return undefined;
  // git knows the empty tree without having it, and its fsck misses it.
  if (treeOid === EMPTY_TREE) objects.push(newObject('tree', formatTree([])));
  return { treeOid, objects };
}

/** A side that both adds and deletes paths may have renamed one, which git finds out by their content. */
class SideChanges {
  #adds = false;
  #deletes = false;

  /** @returns false where git has to merge */
  take(before: TreeItem | undefined, after: TreeItem | undefined): boolean {
    if (!before) this.#adds = true;
    if (!after) this.#deletes = true;
    return !(this.#adds && this.#deletes);
  }
}

const isFolder = (item: TreeItem | undefined): item is TreeItem => item?.mode === FOLDER;

const isSame = (one: TreeItem | undefined, other: TreeItem | undefined): boolean =>
  one === other || (one?.oid === other?.oid && one?.mode === other?.mode);
