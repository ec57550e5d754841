import type { IndexDescription } from 'mongodb';
import { fold } from '../../query.ts';
import type { AnyCollection, FieldType } from '../../read-store.ts';
import { wordsOf } from '../../words.ts';

type Fields = Record<string, unknown>;
export type Key = string | number;

/** Declared fields begin with a letter; a leading `_` marks the adapter's own. */
export const POSITION = '_position';
/** The time of deletion. A tombstone keeps only key and position, so that no older change restores the document. */
export const GONE = '_gone';

export interface StoredDocument {
  _id: Key;
  _position: string;
  [field: string]: unknown;
}

const bare = (entry: string): string => entry.replace(/^-/, '');

/** Key as `_id`, null as absence, and `json` as text, because its names may contain `$` and dots. */
export class StoredShape {
  readonly collection: AnyCollection;
  readonly fields: readonly string[];
  /** One field per `unique` declaration: its values as one text, absent if one of them is null. */
  readonly markers: readonly string[];

  constructor(collection: AnyCollection) {
    this.collection = collection;
    this.fields = Object.keys(collection.fields);
    this.markers = (collection.unique ?? []).map((_, index) => `_unique_${index}`);
  }

  type(field: string): FieldType {
    return this.collection.fields[field];
  }

  stored(field: string): string {
    return field === this.collection.key ? '_id' : field;
  }

  folded(field: string): string {
    return `_folded_${field}`;
  }

  words(field: string): string {
    return `_words_${field}`;
  }

  /** Two declarations with different descriptions cannot share documents. */
  description(): string {
    const { key, fields, nullable, search = [], unique = [], words = [], madeWith } = this.collection;
    const typed = this.fields.toSorted().map((field) => [field, fields[field], nullable.has(field)]);
    const rest: unknown[] = madeWith === undefined ? [] : [madeWith];
    if (words.length > 0) rest.push({ words: words.toSorted() });
    return JSON.stringify([key, typed, search.toSorted(), unique, ...rest]);
  }

  /** A document passes a unique value on by unsetting its marker first, which no reader sees; `sparse` skips it. */
  indexes(): IndexDescription[] {
    const indexes = new Map<string, IndexDescription>();
    for (const list of [...this.collection.indexes, ...(this.collection.unique ?? [])]) {
      const entries = list.some((entry) => bare(entry) === this.collection.key) ? list : this.#closed(list);
      const key = new Map(
        entries.map((entry) => [this.stored(bare(entry)), entry.startsWith('-') ? -1 : 1] as const),
      );
      const name = `by_${entries.join('_')}`;
      if (!(key.size === 1 && key.has('_id'))) indexes.set(name, { name, key });
    }
    for (const field of this.collection.words ?? []) {
      const name = this.words(field);
      indexes.set(name, { name, key: { [name]: 1 } });
    }
    for (const marker of this.markers)
      indexes.set(marker, { name: marker, key: { [marker]: 1 }, unique: true, sparse: true });
    indexes.set(GONE, { name: GONE, key: { [GONE]: 1 }, sparse: true });
    return [...indexes.values()];
  }

  #closed(list: readonly string[]): string[] {
    return [...list, `${list.at(-1)?.startsWith('-') ? '-' : ''}${this.collection.key}`];
  }

  encode(document: Fields, position: string): StoredDocument {
    const { key, search = [], unique = [], words = [] } = this.collection;
    const stored: StoredDocument = { _id: document[key] as Key, _position: position };
    for (const field of this.fields) {
      const value = document[field];
      if (value === null || field === key) continue;
      stored[field] = this.type(field) === 'json' ? JSON.stringify(value) : value;
    }
    for (const field of search)
      if (document[field] !== null) stored[this.folded(field)] = fold(document[field] as string);
    for (const field of words)
      if (document[field] !== null) stored[this.words(field)] = wordsOf(document[field] as string);
    for (const [index, list] of unique.entries()) {
      const values = list.map((entry) => document[bare(entry)]);
      if (!values.includes(null)) stored[this.markers[index] as string] = JSON.stringify(values);
    }
    return stored;
  }

  decode(stored: Fields, fields: readonly string[] = this.fields): Fields {
    const document: Fields = {};
    for (const field of fields) {
      const value = stored[this.stored(field)] ?? null;
      document[field] = value !== null && this.type(field) === 'json' ? JSON.parse(value as string) : value;
    }
    return document;
  }

  projection(fields: readonly string[]): Record<string, 0 | 1> {
    const projection: Record<string, 0 | 1> = { _id: 0 };
    for (const field of fields) projection[this.stored(field)] = 1;
    return Object.keys(projection).length === 1 && projection._id === 0 ? { _id: 1 } : projection;
  }
}
