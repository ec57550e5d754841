import { fold } from '../../query.ts';
import type { AnyCollection, FieldType } from '../../read-store.ts';
import { wordsOf } from '../../words.ts';

type Fields = Record<string, unknown>;
export type SqlValue = string | number | null;

/** `$` marks the adapter's own tables and columns; declared names cannot contain it. */
export const POSITION = '"$position"';
/** A JSON array of the values of `packed`. */
export const PACKED = '"$packed"';

export const quote = (name: string): string => `"${name}"`;

/** Increment when rows are stored differently, so that older files are rebuilt. 3: packed values. */
const FORMAT = 3;

/** So many values are read faster as one text, by a fifth; of more than a dozen by two fifths. */
export const WORTH_PACKING = 8;

const COLUMN_TYPES: Record<FieldType, string> = {
  integer: 'INTEGER',
  number: 'REAL',
  text: 'TEXT',
  boolean: 'INTEGER',
  'integer[]': 'TEXT',
  'text[]': 'TEXT',
  json: 'TEXT',
};

/** Small columns first, so that a scan reaches them without walking the pages of long text. */
const COLUMN_ORDER: FieldType[] = ['integer', 'boolean', 'number', 'text', 'integer[]', 'text[]', 'json'];

/** A collection as a table, with a side table per indexed array field, and a full-text index of words. */
export class Table {
  readonly collection: AnyCollection;
  readonly name: string;
  readonly key: string;
  readonly fields: readonly string[];
  readonly sides: readonly string[];
  readonly search: readonly string[];
  readonly words: readonly string[];
  /** Fields that are read together from one text. Texts are not: they cost the same, and may be long. */
  readonly packed: readonly string[];
  /** Fields that have a column, to be queried or read alone. JSON is never queried. */
  readonly #own: readonly string[];

  constructor(collection: AnyCollection) {
    this.collection = collection;
    this.name = quote(collection.name);
    this.key = quote(collection.key);
    this.fields = Object.keys(collection.fields).sort(
      (a, b) => this.#rank(a) - this.#rank(b) || (a < b ? -1 : 1),
    );
    this.sides = collection.indexes.flat().filter((field) => this.type(field)?.endsWith('[]'));
    this.search = [...(collection.search ?? [])].sort();
    this.words = [...(collection.words ?? [])].sort();
    const small = this.fields.filter((field) => field !== collection.key && this.type(field) !== 'text');
    this.packed = small.length < WORTH_PACKING ? [] : small;
    this.#own = this.fields.filter((field) => this.type(field) !== 'json' || !this.packed.includes(field));
  }

  #rank(field: string): number {
    return field === this.collection.key ? -1 : COLUMN_ORDER.indexOf(this.type(field));
  }

  type(field: string): FieldType {
    return this.collection.fields[field];
  }

  side(field: string): string {
    return quote(`${this.collection.name}$${field}`);
  }

  /** The full-text index, whose row ids are the keys. */
  get wordIndex(): string {
    return quote(`${this.collection.name}$$words`);
  }

  /** The column for the folded text; null if SQLite's `lower` gives the same. */
  #folded(field: string): string {
    return quote(`$folded_${field}`);
  }

  searched(field: string): string {
    return `coalesce(${this.#folded(field)}, lower(${quote(field)}))`;
  }

  /** Two declarations with different shapes cannot share documents. */
  shape(): string {
    const { key, fields, nullable, madeWith } = this.collection;
    const typed = this.fields.map((field) => [field, fields[field], nullable.has(field)]);
    const rest: unknown[] = madeWith === undefined ? [] : [madeWith];
    if (this.words.length > 0) rest.push({ words: this.words });
    return JSON.stringify([FORMAT, key, typed, this.sides, this.search, this.packed, ...rest]);
  }

  hasColumn(field: string): boolean {
    return this.#own.includes(field);
  }

  columns(): string[] {
    const packed = this.packed.length > 0 ? [PACKED] : [];
    const folded = this.search.map((field) => this.#folded(field));
    return [...packed, ...this.#own.map(quote), ...folded, POSITION];
  }

  createStatements(): string[] {
    const { key } = this.collection;
    const keyType = COLUMN_TYPES[this.type(key)];
    const columns = this.#own.map((field) =>
      field === key
        ? `${this.key} ${keyType} NOT NULL PRIMARY KEY`
        : `${quote(field)} ${COLUMN_TYPES[this.type(field)]}`,
    );
    if (this.packed.length > 0) columns.splice(1, 0, `${PACKED} TEXT NOT NULL`);
    for (const field of this.search) columns.push(`${this.#folded(field)} TEXT`);
    columns.push(`${POSITION} TEXT NOT NULL`);
    const statements = [`CREATE TABLE ${this.name} (${columns.join(', ')}) STRICT`];
    for (const field of this.sides) {
      const valueType = this.type(field) === 'integer[]' ? 'INTEGER' : 'TEXT';
      statements.push(
        `CREATE TABLE ${this.side(field)} (owner ${keyType} NOT NULL, value ${valueType} NOT NULL,
          PRIMARY KEY (value, owner)) STRICT, WITHOUT ROWID`,
      );
    }
    if (this.words.length > 0) {
      // Words come ready from `wordsOf`: the tokenizer only splits them at spaces. No text is stored a second time.
      const options = `content='', contentless_delete=1, detail=column, tokenize='ascii'`;
      const columns = this.words.map(quote).join(', ');
      statements.push(`CREATE VIRTUAL TABLE ${this.wordIndex} USING fts5(${columns}, ${options})`);
    }
    return statements;
  }

  dropStatements(tables: readonly string[]): string[] {
    const { name } = this.collection;
    return tables
      .filter((table) => table === name || table.startsWith(`${name}$`))
      .filter((table) => !table.startsWith(`${name}$$words_`))
      .map((table) => `DROP TABLE ${quote(table)}`);
  }

  /** Index names state the whole definition, so a changed index has a new name. */
  indexStatements(): Map<string, string> {
    const statements = new Map<string, string>();
    const add = (list: readonly string[], unique: boolean) => {
      if (list.some((entry) => this.sides.includes(entry))) return;
      // The key in a unique index would make every entry unique.
      const entries =
        unique || list.some((entry) => bare(entry) === this.collection.key) ? list : closed(list);
      const name = `${this.collection.name}$${unique ? 'unique' : 'by'}$${entries.join('$')}`;
      const columns = entries.map((entry) => `${quote(bare(entry))}${entry.startsWith('-') ? ' DESC' : ''}`);
      statements.set(
        name,
        `CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${quote(name)} ON ${this.name} (${columns.join(', ')})`,
      );
    };
    const closed = (list: readonly string[]) => [
      ...list,
      `${list.at(-1)?.startsWith('-') ? '-' : ''}${this.collection.key}`,
    ];
    for (const list of this.collection.indexes) add(list, false);
    for (const list of this.collection.unique ?? []) add(list, true);
    return statements;
  }

  encode(document: Fields, position: string): SqlValue[] {
    const row: SqlValue[] = [];
    if (this.packed.length > 0) row.push(JSON.stringify(this.packed.map((field) => document[field])));
    for (const field of this.#own) row.push(encodeValue(this.type(field), document[field]));
    for (const field of this.search) {
      const value = document[field] as string | null;
      row.push(value === null || isAscii(value) ? null : fold(value));
    }
    row.push(position);
    return row;
  }
}

export const indexedWords = (text: SqlValue | undefined): string =>
  typeof text === 'string' ? wordsOf(text).join(' ') : '';

/** Every non-ASCII character takes more UTF-8 bytes than UTF-16 units. */
const isAscii = (text: string): boolean => Buffer.byteLength(text) === text.length;

const bare = (entry: string): string => entry.replace(/^-/, '');

export function encodeValue(type: FieldType, value: unknown): SqlValue {
  if (value === null || value === undefined) return null;
  if (type === 'boolean') return value ? 1 : 0;
  if (type === 'json' || type.endsWith('[]')) return JSON.stringify(value);
  return value as string | number;
}
