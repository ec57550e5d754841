import type { Change } from '../../read-store.ts';
import type { ReadConnection } from './read-connection.ts';
import { encodeValue, indexedWords, POSITION, quote, type SqlValue, type Table } from './table.ts';

/** Applies changes to one table, its side tables and its full-text index, each only if the stored document is older. */
export class TableWriter {
  readonly #table: Table;
  readonly #connection: ReadConnection;
  readonly #upsert: string;
  readonly #delete: string;
  readonly #before: string;
  readonly #insertWords: string;
  readonly #deleteWords: string;

  constructor(table: Table, connection: ReadConnection) {
    this.#table = table;
    this.#connection = connection;
    const columns = table.columns();
    const updates = columns.map((column) => `${column} = excluded.${column}`);
    this.#upsert = `INSERT INTO ${table.name} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
      ON CONFLICT (${table.key}) DO UPDATE SET ${updates.join(', ')} WHERE ${POSITION} < excluded.${POSITION}`;
    this.#delete = `DELETE FROM ${table.name} WHERE ${table.key} = ? AND ${POSITION} < ?`;
    const kept = [...table.sides, ...table.words].map(quote).join(', ');
    this.#before = `SELECT ${kept} FROM ${table.name} WHERE ${table.key} = ?`;
    const words = table.words.map(quote);
    this.#insertWords = `INSERT INTO ${table.wordIndex} (rowid, ${words.join(', ')}) VALUES (?${', ?'.repeat(words.length)})`;
    this.#deleteWords = `DELETE FROM ${table.wordIndex} WHERE rowid = ?`;
  }

  apply(change: Change): boolean {
    return change.kind === 'delete' ? this.remove(change.key, change.position) : this.#put(change);
  }

  remove(key: string | number, position: string): boolean {
    const before = this.#keptOf(key);
    if (this.#connection.run(this.#delete, [key, position]) === 0) return false;
    if (this.#table.words.length > 0) this.#connection.run(this.#deleteWords, [key]);
    for (const [index, field] of this.#table.sides.entries()) this.#leaveSide(field, key, before?.[index]);
    return true;
  }

  #put(change: Extract<Change, { kind: 'put' }>): boolean {
    const { sides } = this.#table;
    const { document } = change;
    const before = this.#keptOf(change.key);
    if (this.#connection.run(this.#upsert, this.#table.encode(document, change.position)) === 0) return false;
    for (const [index, field] of sides.entries()) {
      if (before?.[index] === encodeValue(this.#table.type(field), document[field])) continue;
      this.#leaveSide(field, change.key, before?.[index]);
      this.#enterSide(field, change.key, document[field] as SqlValue[] | null);
    }
    this.#index(change, before?.slice(sides.length));
    return true;
  }

  #index({ key, document }: Extract<Change, { kind: 'put' }>, before: readonly SqlValue[] | undefined): void {
    const { words } = this.#table;
    if (words.every((field, at) => before?.[at] === (document[field] ?? null))) return;
    if (before) this.#connection.run(this.#deleteWords, [key]);
    const texts = words.map((field) => indexedWords(document[field] as string | null));
    this.#connection.run(this.#insertWords, [key, ...texts]);
  }

  /** The stored arrays name the rows of the side tables, which then need no index by owner; then the indexed texts. */
  #keptOf(key: SqlValue): readonly SqlValue[] | undefined {
    const { sides, words } = this.#table;
    return sides.length + words.length > 0 ? this.#connection.get(this.#before, [key]) : undefined;
  }

  #leaveSide(field: string, key: SqlValue, before: SqlValue | undefined): void {
    for (const value of valuesOf(before))
      this.#connection.run(`DELETE FROM ${this.#table.side(field)} WHERE value = ? AND owner = ?`, [
        value,
        key,
      ]);
  }

  #enterSide(field: string, key: SqlValue, now: readonly SqlValue[] | null): void {
    for (const value of new Set(now))
      this.#connection.run(`INSERT INTO ${this.#table.side(field)} (owner, value) VALUES (?, ?)`, [
        key,
        value,
      ]);
  }
}

const valuesOf = (stored: SqlValue | undefined): ReadonlySet<SqlValue> =>
  new Set(typeof stored === 'string' ? (JSON.parse(stored) as SqlValue[]) : []);
