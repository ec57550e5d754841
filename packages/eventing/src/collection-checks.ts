import type { Condition, Scalar, SortKey } from './query.ts';
import type { AnyCollection, FieldType, Query } from './read-store.ts';
import { wordsOf } from './words.ts';

/* Shared by all adapters: databases would convert '5' to 5 or return nothing, each in its own way. */

const FIELD_NAME = /^[a-z][A-Za-z0-9_]*$/;
const COLLECTION_NAME = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;

export function checkDeclaration(collection: AnyCollection): void {
  const fail = (reason: string): never => {
    throw new TypeError(`collection ${collection.name}: ${reason}`);
  };
  if (!COLLECTION_NAME.test(collection.name)) fail('the name is not lower-case words joined by _');
  const names = Object.keys(collection.fields);
  for (const name of names) if (!FIELD_NAME.test(name)) fail(`field name ${name}`);
  if (new Set(names.map((name) => name.toLowerCase())).size !== names.length)
    fail('two fields differ in case only');
  const keyType = collection.fields[collection.key];
  if (keyType !== 'integer' && keyType !== 'text') fail(`key ${collection.key} is not integer or text`);
  if (collection.nullable.has(collection.key)) fail(`key ${collection.key} may be null`);
  for (const list of [...collection.indexes, ...(collection.unique ?? [])])
    for (const entry of list) {
      const type = collection.fields[entry.replace(/^-/, '')];
      if (!type || type === 'json') fail(`index on ${entry}`);
      if (type.endsWith('[]') && list.length > 1) fail(`array field ${entry} in an index of several fields`);
    }
  for (const name of collection.search ?? [])
    if (collection.fields[name] !== 'text') fail(`search field ${name} is not text`);
  for (const name of collection.words ?? [])
    if (collection.fields[name] !== 'text') fail(`words field ${name} is not text`);
  if (collection.words && keyType !== 'integer') fail('words require an integer key');
}

export function fieldType(collection: AnyCollection, field: string): FieldType {
  const type = Object.hasOwn(collection.fields, field) ? collection.fields[field] : undefined;
  if (!type) throw new TypeError(`collection ${collection.name} has no field ${field}`);
  return type;
}

export function scalarType(collection: AnyCollection, field: string): FieldType {
  const type = fieldType(collection, field);
  if (type === 'json' || type.endsWith('[]'))
    throw new TypeError(`field ${collection.name}.${field} of type ${type} cannot be compared`);
  return type;
}

export function arrayType(collection: AnyCollection, field: string): 'integer' | 'text' {
  const type = fieldType(collection, field);
  if (type === 'integer[]') return 'integer';
  if (type === 'text[]') return 'text';
  throw new TypeError(`field ${collection.name}.${field} is not an array`);
}

export function checkValue(type: FieldType, value: Scalar, where: string): void {
  const expected =
    type === 'integer' || type === 'number' ? 'number' : type === 'boolean' ? 'boolean' : 'string';
  if (typeof value !== expected) throw new TypeError(`${where}: ${typeof value} given, ${type} declared`);
}

export function checkCondition(collection: AnyCollection, condition: Condition): void {
  const where = (field: string) => `${collection.name}.${field}`;
  switch (condition.op) {
    case 'eq': {
      const type = scalarType(collection, condition.field);
      if (condition.value !== null) checkValue(type, condition.value, where(condition.field));
      return;
    }
    case 'in': {
      const type = scalarType(collection, condition.field);
      for (const value of condition.values) checkValue(type, value, where(condition.field));
      return;
    }
    case 'range': {
      const type = scalarType(collection, condition.field);
      for (const bound of [condition.gt, condition.gte, condition.lt, condition.lte])
        if (bound !== undefined) checkValue(type, bound, where(condition.field));
      return;
    }
    case 'has':
      checkValue(arrayType(collection, condition.field), condition.value, where(condition.field));
      return;
    case 'hasAny': {
      const type = arrayType(collection, condition.field);
      for (const value of condition.values) checkValue(type, value, where(condition.field));
      return;
    }
    case 'isEmpty':
      if (fieldType(collection, condition.field) === 'json')
        throw new TypeError(`field ${where(condition.field)} of type json cannot be queried`);
      return;
    case 'includes':
      if (!collection.search?.includes(condition.field))
        throw new TypeError(`field ${where(condition.field)} is not declared for search`);
      return;
    case 'words':
      for (const field of condition.fields)
        if (!collection.words?.includes(field))
          throw new TypeError(`field ${where(field)} is not declared for words`);
      if (condition.fields.length === 0) throw new TypeError(`${collection.name}: words in no field`);
      for (const word of condition.words)
        if (!isWord(word)) throw new TypeError(`${collection.name}: not a word of wordsOf`);
      return;
    case 'and':
    case 'or':
      for (const inner of condition.conditions) checkCondition(collection, inner);
      return;
    case 'not':
      checkCondition(collection, condition.condition);
      return;
    default:
      throw new TypeError(`unknown condition ${JSON.stringify(condition satisfies never)}`);
  }
}

function isWord(text: string): boolean {
  const [word, ...others] = wordsOf(text);
  return word === text && others.length === 0;
}

/** Appends the key as the last sort key, and drops everything after it, which never decides. */
export function fullSort(collection: AnyCollection, sort: readonly SortKey[] = []): SortKey[] {
  const full: SortKey[] = [];
  for (const key of sort) {
    scalarType(collection, key.field);
    full.push(key);
    if (key.field === collection.key) return full;
  }
  full.push({ field: collection.key, direction: sort.at(-1)?.direction ?? 'asc' });
  return full;
}

/** Lists of fields that the collection has: most are constants, which are asked for again and again. */
const known = new WeakMap<readonly string[], AnyCollection>();

function checkFields(collection: AnyCollection, fields: readonly string[]): void {
  if (known.get(fields) === collection) return;
  for (const field of fields) fieldType(collection, field);
  known.set(fields, collection);
}

export function checkQuery<C extends AnyCollection>(collection: C, query: Query<C>): SortKey[] {
  if (query.where) checkCondition(collection, query.where);
  for (const [name, value] of [
    ['limit', query.limit],
    ['offset', query.offset ?? 0],
  ] as const)
    if (!Number.isSafeInteger(value) || value < 0)
      throw new TypeError(`${collection.name}: ${name} ${value}`);
  if (query.select) checkFields(collection, query.select);
  const sort = fullSort(collection, query.sort);
  if (query.after) {
    if (query.after.length !== sort.length)
      throw new TypeError(`${collection.name}: ${sort.length} values expected in after`);
    for (const [index, key] of sort.entries()) {
      const value = query.after[index];
      if (value !== null && value !== undefined)
        checkValue(fieldType(collection, key.field), value, `${collection.name}.${key.field}`);
    }
  }
  return sort;
}
