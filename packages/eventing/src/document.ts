import type { AnyCollection, FieldType, NormalDocument } from './read-store.ts';

/* Every stored document has passed `normalise`. So a projection reads the same value from memory as from a database. */

type Fields = Record<string, unknown>;

interface Shape {
  names: readonly string[];
  types: readonly FieldType[];
  nested: readonly string[];
  required: readonly string[];
  /** All fields null. Copying it is twice as fast as building an object field by field. */
  blank: Fields;
}

const shapes = new WeakMap<AnyCollection, Shape>();

/** Deeply frozen JSON values, which documents may share. */
const frozenJson = new WeakSet<object>();

/** Copies the declared fields in order; missing ones become null. Freezes arrays and JSON. @throws TypeError */
export function normalise(collection: AnyCollection, document: Fields): NormalDocument {
  const { names, types, blank, required } = shapeOf(collection);
  const normal = { ...blank };
  let known = 0;
  for (let index = 0; index < names.length; index++) {
    const field = names[index] as string;
    const value = document[field];
    if (value === undefined) continue;
    known++;
    if (value !== null)
      normal[field] = normaliseValue(types[index] as FieldType, value, collection.name, field);
  }
  const given = Object.keys(document);
  if (given.length > known) {
    const extra = given.find((field) => !(field in normal) && document[field] !== undefined);
    if (extra) throw new TypeError(`collection ${collection.name} has no field ${extra}`);
  }
  for (const field of required)
    if (normal[field] === null) throw new TypeError(`${collection.name}.${field} is null`);
  return normal as NormalDocument;
}

/** Copies a document with other values in some fields, but not the key. @throws TypeError */
export function amend(collection: AnyCollection, document: NormalDocument, changes: Fields): NormalDocument {
  const amended: Fields = { ...document };
  for (const field in changes) {
    const type = collection.fields[field] as FieldType | undefined;
    if (!type || field === collection.key)
      throw new TypeError(`${collection.name}.${field} is no field that can be changed`);
    const value = changes[field] ?? null;
    if (value === null && !collection.nullable.has(field))
      throw new TypeError(`${collection.name}.${field} is null`);
    amended[field] = value === null ? null : normaliseValue(type, value, collection.name, field);
  }
  return amended as NormalDocument;
}

/** Brands a freshly read document as normalised without copying it. The caller must own it. */
export function adopt(collection: AnyCollection, document: Fields): NormalDocument {
  for (const field of shapeOf(collection).nested) freezeJson(document[field]);
  return document as NormalDocument;
}

function shapeOf(collection: AnyCollection): Shape {
  let shape = shapes.get(collection);
  if (!shape) {
    const names = Object.keys(collection.fields);
    const types = names.map((field) => collection.fields[field] as FieldType);
    const nested = names.filter((_, index) => types[index] === 'json' || types[index]?.endsWith('[]'));
    const required = names.filter((field) => !collection.nullable.has(field));
    shape = {
      names,
      types,
      nested,
      required,
      blank: Object.fromEntries(names.map((field) => [field, null])),
    };
    shapes.set(collection, shape);
  }
  return shape;
}

function normaliseValue(type: FieldType, value: unknown, collection: string, field: string): unknown {
  switch (type) {
    case 'integer':
      if (Number.isSafeInteger(value)) return value === 0 ? 0 : value;
      break;
    case 'number':
      if (Number.isFinite(value)) return value === 0 ? 0 : value;
      break;
    case 'text':
      if (typeof value === 'string') return value.isWellFormed() ? value : value.toWellFormed();
      break;
    case 'boolean':
      if (typeof value === 'boolean') return value;
      break;
    case 'integer[]':
      if (Array.isArray(value) && value.every(Number.isSafeInteger)) return frozen(value);
      break;
    case 'text[]':
      if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
        return value.every((item) => item.isWellFormed()) ? frozen(value) : frozen(value.map(wellFormed));
      break;
    case 'json':
      if (typeof value !== 'object' || frozenJson.has(value as object)) return value;
      return freezeJson(JSON.parse(JSON.stringify(value)));
    default:
      throw new TypeError(`${collection}.${field}: unknown type ${type satisfies never}`);
  }
  throw new TypeError(`${collection}.${field}: ${JSON.stringify(value)} is not ${type}`);
}

const wellFormed = (text: string): string => text.toWellFormed();

const EMPTY: readonly never[] = Object.freeze([]);

function frozen(array: readonly unknown[]): readonly unknown[] {
  if (array.length === 0) return EMPTY;
  return Object.isFrozen(array) ? array : Object.freeze(array.slice());
}

function freezeJson(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  for (const part of Object.values(value)) freezeJson(part);
  frozenJson.add(value);
  return Object.freeze(value);
}

export function copyDocument<D extends Fields>(document: D): D {
  const copy: Fields = {};
  for (const field in document) {
    const value = document[field] as unknown;
    copy[field] = typeof value === 'object' && value !== null ? structuredClone(value) : value;
  }
  return copy as D;
}
