import type { Change } from '../../read-store.ts';
import type { ReadConnection } from './read-connection.ts';
import { encodeValue, POSITION, quote, type SqlValue, type Table } from './table.ts';

/** Applies changes to one table and its side tables, each only if the stored document is older. */
export class TableWriter {
  readonly #table: Table;
  readonly #connection: ReadConnection;
  readonly #upsert: string;
  readonly #delete: string;
  readonly #sides: string;

  constructor(table: Table, connection: ReadConnection) {
    this.#table = table;
    this.#connection = connection;
    const columns = table.columns();
    const updates = columns.map((column) => `${column} = excluded.${column}`);
    this.#upsert = `INSERT INTO ${table.name} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
      ON CONFLICT (${table.key}) DO UPDATE SET ${updates.join(', ')} WHERE ${POSITION} < excluded.${POSITION}`;
    this.#delete = `DELETE FROM ${table.name} WHERE ${table.key} = ? AND ${POSITION} < ?`;
    this.#sides = `SELECT ${table.sides.map(quote).join(', ')} FROM ${table.name} WHERE ${table.key} = ?`;
  }

  apply(change: Change): boolean {
    return change.kind === 'delete' ? this.remove(change.key, change.position) : this.#put(change);
  }

  remove(key: string | number, position: string): boolean {
    const before = this.#arraysOf(key);
    if (this.#connection.run(this.#delete, [key, position]) === 0) return false;
    for (const [index, field] of this.#table.sides.entries()) this.#leaveSide(field, key, before?.[index]);
    return true;
  }

  #put(change: Extract<Change, { kind: 'put' }>): boolean {
    const { sides } = this.#table;
    const { document } = change;
    const before = this.#arraysOf(change.key);
    if (this.#connection.run(this.#upsert, this.#table.encode(document, change.position)) === 0) return false;
    for (const [index, field] of sides.entries()) {
      if (before?.[index] === encodeValue(this.#table.type(field), document[field])) continue;
      this.#leaveSide(field, change.key, before?.[index]);
      this.#enterSide(field, change.key, document[field] as SqlValue[] | null);
    }
    return true;
  }

  /** The stored arrays name the rows of the side tables, which then need no index by owner. */
  #arraysOf(key: SqlValue): readonly SqlValue[] | undefined {
    return this.#table.sides.length > 0 ? this.#connection.get(this.#sides, [key]) : undefined;
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
