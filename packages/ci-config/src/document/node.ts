import type { Place } from './source-file.ts';

/**
 * A value with its place. Aliases share nodes, so a document is an acyclic graph; `size` is its size written out.
 */
export type Node = ScalarNode | ListNode | MapNode | ReferenceNode;

export interface ScalarNode extends Place {
  kind: 'scalar';
  value: string | number | boolean | null;
  /** The written text, for keywords that mean a text: `1.10`, `yes`. */
  source: string;
  size: number;
}

export interface ListNode extends Place {
  kind: 'list';
  items: readonly Node[];
  size: number;
}

export interface MapNode extends Place {
  kind: 'map';
  entries: ReadonlyMap<string, Entry>;
  size: number;
}

/** Each key has its own place, because a mapping may be merged from several files. */
export interface Entry {
  value: Node;
  key: Place;
}

/** `!reference [job, keyword]` before it is resolved. */
export interface ReferenceNode extends Place {
  kind: 'reference';
  path: readonly string[];
  size: number;
}

/** Size of a value beside its characters, so that empty values count. */
const VALUE = 8;

export function scalarNode(value: ScalarNode['value'], source: string, { file, offset }: Place): ScalarNode {
  return { kind: 'scalar', value, source, size: VALUE + source.length, file, offset };
}

export const textNode = (text: string, place: Place) => scalarNode(text, text, place);

export function listNode(items: readonly Node[], { file, offset }: Place): ListNode {
  let size = VALUE;
  for (const item of items) size += item.size;
  return { kind: 'list', items, size, file, offset };
}

export function mapNode(entries: ReadonlyMap<string, Entry>, { file, offset }: Place): MapNode {
  let size = VALUE;
  for (const [key, { value }] of entries) size += VALUE + key.length + value.size;
  return { kind: 'map', entries, size, file, offset };
}

export function referenceNode(path: readonly string[], { file, offset }: Place): ReferenceNode {
  return { kind: 'reference', path, size: VALUE + path.join().length, file, offset };
}

export const isNull = (node: Node | undefined) =>
  node === undefined || (node.kind === 'scalar' && node.value === null);

export const isText = (node: Node): node is ScalarNode & { value: string } =>
  node.kind === 'scalar' && typeof node.value === 'string';

export const valueAt = (map: MapNode, key: string): Node | undefined => map.entries.get(key)?.value;

/** Mappings are merged; any other value of `over` replaces the one below, null included. */
export function deepMerge(base: MapNode, over: MapNode): MapNode {
  const entries = new Map(base.entries);
  for (const [key, entry] of over.entries) {
    const below = entries.get(key)?.value;
    const value =
      below?.kind === 'map' && entry.value.kind === 'map' ? deepMerge(below, entry.value) : entry.value;
    entries.set(key, { value, key: entry.key });
  }
  return mapNode(entries, over);
}
