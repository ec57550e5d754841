/** Applies file actions to a tree, and reads only the folders they touch. */
import { CommitActionError } from '../errors.ts';
import { type NewObject, newObject } from '../objects/loose-object-writer.ts';
import { assertOid } from '../objects/object-id.ts';
import { formatTree } from '../objects/tree-object.ts';
import type { RepositoryContext } from '../repository-context.ts';
import { isSafePath } from './tree-path.ts';
import { readTree } from './tree-reader.ts';

/** Paths are normalised, see `normalizePath`. */
export type FileAction =
  | { action: 'create'; path: string; content: Buffer; executable?: boolean }
  | { action: 'update'; path: string; content: Buffer; executable?: boolean }
  | { action: 'delete'; path: string }
  /** Keeps the file's content if none is given. */
  | { action: 'move'; path: string; previousPath: string; content?: Buffer; executable?: boolean }
  | { action: 'chmod'; path: string; executable: boolean }
  /** Lets a submodule that is there be at another commit. */
  | { action: 'submodule'; path: string; oid: string };

export interface EditedTree {
  treeOid: string;
  /** All blobs and trees that the base may lack. */
  objects: NewObject[];
  /** Paths whose action changed nothing. */
  unchanged: string[];
}

/** A folder is loaded lazily: it has an id, and its items once it is opened. */
interface Leaf {
  mode: string;
  oid: string;
}
type Items = Map<string, Leaf | Folder>;
interface Folder {
  mode: '040000';
  oid?: string;
  items?: Items;
}

const isFolder = (item: Leaf | Folder): item is Folder => item.mode === '040000';
/** Map keys that keep all bytes distinct. */
const keyOf = (segment: string) => Buffer.from(segment).toString('latin1');

/** Applies the actions in order. @throws CommitActionError at the first that does not apply */
export async function editTree(
  context: RepositoryContext,
  baseTree: string,
  actions: FileAction[],
): Promise<EditedTree> {
  const root: Folder = { mode: '040000', oid: baseTree };
  const objects: NewObject[] = [];
  const unchanged: string[] = [];

  const open = async (folder: Folder) => {
    if (!folder.items) {
      const items = folder.oid === undefined ? [] : await readTree(context, folder.oid);
      folder.items = new Map(
        items.map(({ name, mode, oid }) => [name.toString('latin1'), { mode, oid } as Leaf | Folder]),
      );
    }
    return folder.items;
  };

  /** Opens the folder of a path. `create` adds missing folders. */
  const parentOf = async (path: string, create: boolean) => {
    if (!isSafePath(path)) throw new CommitActionError('invalid_path', path);
    const segments = path.split('/').map(keyOf);
    const name = segments.pop()!;
    let items = await open(root);
    const trail: { items: Items; name: string }[] = [];
    for (const segment of segments) {
      let next = items.get(segment);
      if (!next) {
        if (!create) throw new CommitActionError('missing', path);
        next = { mode: '040000', items: new Map() };
        items.set(segment, next);
      }
      if (!isFolder(next)) throw new CommitActionError(create ? 'path_conflict' : 'missing', path);
      trail.push({ items, name: segment });
      items = await open(next);
    }
    trail.push({ items, name });
    /** Removes the entry and the folders that become empty, since git has no empty folders. */
    const remove = () => {
      for (const step of trail.toReversed()) {
        step.items.delete(step.name);
        if (step.items.size > 0) break;
      }
    };
    return { items, name, remove };
  };

  const existing = async (path: string) => {
    const { items, name, remove } = await parentOf(path, false);
    const leaf = items.get(name);
    if (!leaf) throw new CommitActionError('missing', path);
    if (isFolder(leaf) || leaf.mode === '160000') throw new CommitActionError('is_directory', path);
    return { items, name, leaf, remove };
  };

  const blob = (content: Buffer) => {
    const object = newObject('blob', content);
    objects.push(object);
    return object.oid;
  };

  const add = async (path: string, leaf: Leaf) => {
    const { items, name } = await parentOf(path, true);
    const there = items.get(name);
    if (there) throw new CommitActionError(isFolder(there) ? 'is_directory' : 'exists', path);
    items.set(name, leaf);
  };

  for (const action of actions) {
    switch (action.action) {
      case 'create':
        await add(action.path, { mode: fileMode(action.executable), oid: blob(action.content) });
        break;
      case 'update': {
        const { items, name, leaf } = await existing(action.path);
        const next = { mode: fileMode(action.executable, leaf.mode), oid: blob(action.content) };
        if (next.oid === leaf.oid && next.mode === leaf.mode) unchanged.push(action.path);
        items.set(name, next);
        break;
      }
      case 'delete': {
        (await existing(action.path)).remove();
        break;
      }
      case 'move': {
        const { leaf, remove } = await existing(action.previousPath);
        remove();
        const oid = action.content ? blob(action.content) : leaf.oid;
        await add(action.path, { mode: fileMode(action.executable, leaf.mode), oid });
        break;
      }
      case 'chmod': {
        const { items, name, leaf } = await existing(action.path);
        const mode = fileMode(action.executable, leaf.mode);
        if (mode === leaf.mode) unchanged.push(action.path);
        items.set(name, { ...leaf, mode });
        break;
      }
      case 'submodule': {
        const { items, name } = await parentOf(action.path, false);
        const leaf = items.get(name);
        if (leaf?.mode !== '160000') throw new CommitActionError('missing', action.path);
        if (leaf.oid === action.oid) unchanged.push(action.path);
        items.set(name, { mode: leaf.mode, oid: assertOid(action.oid) });
        break;
      }
      default:
        throw action satisfies never;
    }
  }
  return { treeOid: close(root, objects) ?? newTree([], objects), objects, unchanged };
}

function fileMode(executable: boolean | undefined, before = '100644'): string {
  if (executable === undefined || before === '120000') return before;
  return executable ? '100755' : '100644';
}

/** Returns the id of a folder and appends its new objects; undefined if it is empty. */
function close(folder: Folder, objects: NewObject[]): string | undefined {
  if (!folder.items) return folder.oid;
  const items: { name: Buffer; mode: string; oid: string }[] = [];
  for (const [key, item] of folder.items) {
    const oid = isFolder(item) ? close(item, objects) : item.oid;
    if (oid) items.push({ name: Buffer.from(key, 'latin1'), mode: item.mode, oid });
  }
  return items.length === 0 ? undefined : newTree(items, objects);
}

function newTree(items: { name: Buffer; mode: string; oid: string }[], objects: NewObject[]): string {
  const object = newObject('tree', formatTree(items));
  objects.push(object);
  return object.oid;
}
