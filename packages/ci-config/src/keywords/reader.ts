import { type Entry, isNull, type MapNode, type Node } from '../document/node.ts';
import { parseDuration } from '../duration.ts';
import type { Location } from './location.ts';

/** Reads one value. It reports what is wrong and returns undefined. */
export type Reader<T> = (node: Node, at: Location) => T | undefined;

/** Reads one keyword; a part has keywords of its own. */
interface Field<T> {
  read: Reader<T>;
  isPart: boolean;
}

export const attribute = <T>(read: Reader<T>): Field<T> => ({ read, isPart: false });
export const part = <T>(read: Reader<T>): Field<T> => ({ read, isPart: true });

/** Jobs share the nodes that they extend, so each shared node is read once. */
export const shared = <F extends Fields>(fields: F): F =>
  Object.fromEntries(
    Object.entries(fields).map(([key, { read, isPart }]) => [key, { read: once(read), isPart }]),
  ) as F;

function once<T>(read: Reader<T>): Reader<T> {
  const known = new WeakMap<Node, T>();
  return (node, at) => {
    const found = known.get(node);
    if (found !== undefined) return found;
    const before = at.problems.count;
    const value = read(node, at);
    // Errors are reported for each job.
    if (value !== undefined && at.problems.count === before) known.set(node, value);
    return value;
  };
}

const KEYS_TOLD = 50;

type Fields = Readonly<Record<string, Field<unknown>>>;
export type RecordOf<F extends Fields> = {
  [K in keyof F]?: F[K] extends Field<infer T> ? T : never;
};

/** Reads a mapping with known keys alone; a key without a value counts as absent. */
export function readFields<F extends Fields>(node: MapNode, at: Location, fields: F): RecordOf<F> {
  const found: Record<string, unknown> = {};
  const unknown: [string, Entry][] = [];
  for (const [key, entry] of node.entries) {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (!field) unknown.push([key, entry]);
    else if (!isNull(entry.value))
      found[key] = field.read(entry.value, field.isPart ? at.part(key) : at.attribute(key));
  }
  if (unknown.length > 0) {
    const told = unknown.slice(0, KEYS_TOLD).map(([key]) => key);
    at.error(unknown[0]![1].key, `contains unknown keys: ${told.join(', ')}`);
  }
  return found as RecordOf<F>;
}

export const text: Reader<string> = (node, at) =>
  node.kind === 'scalar' && typeof node.value === 'string'
    ? node.value
    : at.error(node, 'should be a string');

export const filledText: Reader<string> = (node, at) => {
  const value = text(node, at);
  return value?.trim() === '' ? at.error(node, "can't be blank") : value;
};

export const boolean: Reader<boolean> = (node, at) =>
  node.kind === 'scalar' && typeof node.value === 'boolean'
    ? node.value
    : at.error(node, 'should be a boolean value');

export function integer(least: number, most: number): Reader<number> {
  return (node, at) => {
    if (node.kind !== 'scalar' || typeof node.value !== 'number') return at.error(node, 'is not a number');
    if (!Number.isInteger(node.value)) return at.error(node, 'must be an integer');
    if (node.value < least) return at.error(node, `must be greater than or equal to ${least}`);
    return node.value > most ? at.error(node, `must be less than or equal to ${most}`) : node.value;
  };
}

export function oneOf<const T extends string>(values: readonly T[], message?: string): Reader<T> {
  return (node, at) =>
    node.kind === 'scalar' && values.includes(node.value as T)
      ? (node.value as T)
      : at.error(node, message ?? `should be one of: ${values.join(', ')}`);
}

/** @returns undefined, without reporting an error, for anything but a list of texts */
export function textsIn(node: Node): string[] | undefined {
  if (node.kind !== 'list') return undefined;
  const found: string[] = [];
  for (const item of node.items) {
    if (item.kind !== 'scalar' || typeof item.value !== 'string') return undefined;
    found.push(item.value);
  }
  return found;
}

export const texts: Reader<string[]> = (node, at) =>
  textsIn(node) ?? at.error(node, 'should be an array of strings');

export const textOrTexts: Reader<string[]> = (node, at) => {
  if (node.kind === 'scalar' && typeof node.value === 'string') return [node.value];
  return textsIn(node) ?? at.error(node, 'should be an array of strings or a string');
};

/** Returns a scalar as it was written, an empty text for null, and null for a list or mapping. */
export const scalarText = (node: Node): string | null =>
  node.kind === 'scalar' ? (node.value === null ? '' : node.source) : null;

export function listOf<T>(read: Reader<T>, expected = 'should be an array'): Reader<T[]> {
  return (node, at) => {
    if (node.kind !== 'list') return at.error(node, expected);
    return node.items.map((item) => read(item, at)).filter((item) => item !== undefined);
  };
}

export function duration(limit?: { seconds: number; name: string }): Reader<number> {
  return (node, at) => {
    const written = scalarText(node);
    const seconds = written === null ? null : parseDuration(written);
    if (seconds === null) return at.error(node, 'should be a duration');
    if (limit && seconds > limit.seconds)
      return at.error(node, `should not exceed the limit of ${limit.name}`);
    return seconds;
  };
}
