import { normalise } from '../../document.ts';
import type { Change } from '../../read-store.ts';
import type { ReadConnection } from './read-connection.ts';
import { encodeValue, POSITION, quote, type SqlValue, type Table } from './table.ts';

/** Applies changes to one table and its side tables, each only where the stored document is older. */
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

  /** True where something changed. */
  apply(change: Change): boolean {
    return change.kind === 'delete' ? this.remove(change.key, change.position) : this.#put(change);
  }

  remove(key: string | number, position: string): boolean {
    if (this.#connection.run(this.#delete, [key, position]) === 0) return false;
    for (const field of this.#table.sides)
      this.#connection.run(`DELETE FROM ${this.#table.side(field)} WHERE owner = ?`, [key]);
    return true;
  }

  #put(change: Extract<Change, { kind: 'put' }>): boolean {
    const { sides, collection } = this.#table;
    const document = normalise(collection, change.document);
    const before = sides.length > 0 ? this.#connection.get(this.#sides, [change.key]) : undefined;
    if (this.#connection.run(this.#upsert, this.#table.encode(document, change.position)) === 0) return false;
    for (const [index, field] of sides.entries())
      this.#putSide(field, change.key, before?.[index] ?? null, document[field] as SqlValue[] | null);
    return true;
  }

  #putSide(field: string, key: SqlValue, before: SqlValue, now: readonly SqlValue[] | null): void {
    if (before === encodeValue(this.#table.type(field), now)) return;
    const side = this.#table.side(field);
    if (before !== null) this.#connection.run(`DELETE FROM ${side} WHERE owner = ?`, [key]);
    for (const value of new Set(now))
      this.#connection.run(`INSERT INTO ${side} (owner, value) VALUES (?, ?)`, [key, value]);
  }
}
