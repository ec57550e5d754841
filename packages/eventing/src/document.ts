import type { AnyCollection, FieldType, NormalDocument } from './read-store.ts';

/*
 * Documents on their way into and out of a store. Every document that a store holds has passed `normalise`, so that
 * what a projection reads back is the same whether it comes from memory or from a database.
 */

type Fields = Record<string, unknown>;

/** A copy with exactly the declared fields in declared order; what is missing is null. @throws TypeError */
export function normalise(collection: AnyCollection, document: Fields): NormalDocument {
  const normal: Fields = {};
  let known = 0;
  for (const field in collection.fields) {
    const value = document[field];
    if (value !== undefined) known++;
    normal[field] =
      value === undefined || value === null
        ? null
        : normaliseValue(collection.fields[field] as FieldType, value, collection.name, field);
  }
  const given = Object.keys(document);
  if (given.length > known) {
    const extra = given.find((field) => !(field in normal) && document[field] !== undefined);
    if (extra) throw new TypeError(`collection ${collection.name} has no field ${extra}`);
  }
  if (normal[collection.key] === null) throw new TypeError(`${collection.name}.${collection.key} is null`);
  return normal as NormalDocument;
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
      if (Array.isArray(value) && value.every(Number.isSafeInteger)) return value.slice();
      break;
    case 'text[]':
      if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
        return value.map((item: string) => item.toWellFormed());
      break;
    case 'json':
      return typeof value === 'object' ? JSON.parse(JSON.stringify(value)) : value;
    default:
      throw new TypeError(`${collection}.${field}: unknown type ${type satisfies never}`);
  }
  throw new TypeError(`${collection}.${field}: ${JSON.stringify(value)} is not ${type}`);
}

/** A copy that shares nothing that can change. */
export function copyDocument<D extends Fields>(document: D): D {
  const copy: Fields = {};
  for (const field in document) {
    const value = document[field] as unknown;
    copy[field] = typeof value === 'object' && value !== null ? copyValue(value) : value;
  }
  return copy as D;
}

function copyValue(value: object): unknown {
  if (!Array.isArray(value)) return structuredClone(value);
  return value.some((item) => typeof item === 'object') ? structuredClone(value) : value.slice();
}
