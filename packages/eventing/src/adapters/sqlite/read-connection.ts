import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { Lru } from '../../lru.ts';
import { ReadStoreUnavailableError } from '../../read-store.ts';
import { isDamage, isUnavailable } from './sqlite-errors.ts';
import type { SqlValue } from './table.ts';

const STATEMENTS = 1000;

/** A connection that keeps its statements prepared and answers rows as plain arrays. */
export class ReadConnection {
  readonly db: DatabaseSync;
  readonly #statements = new Lru<string, StatementSync>(STATEMENTS);

  readonly #onDamage: () => void;

  /** @param onDamage called whenever the file proves to be damaged */
  constructor(path: string, onDamage: () => void) {
    this.db = new DatabaseSync(path, { timeout: 5000 });
    this.#onDamage = onDamage;
  }

  prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.db.prepare(sql);
      statement.setReturnArrays(true);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  all(sql: string, parameters: readonly SqlValue[] = []): SqlValue[][] {
    try {
      return this.prepare(sql).all(...parameters) as unknown as SqlValue[][];
    } catch (error) {
      throw this.#named(error);
    }
  }

  get(sql: string, parameters: readonly SqlValue[] = []): SqlValue[] | undefined {
    try {
      return this.prepare(sql).get(...parameters) as unknown as SqlValue[] | undefined;
    } catch (error) {
      throw this.#named(error);
    }
  }

  run(sql: string, parameters: readonly SqlValue[] = []): number {
    try {
      return Number(this.prepare(sql).run(...parameters).changes);
    } catch (error) {
      throw this.#named(error);
    }
  }

  /** All of it or nothing. */
  transaction<T>(work: () => T): T {
    try {
      this.db.exec('BEGIN IMMEDIATE');
      const result = work();
      this.db.exec('COMMIT');
      return result;
    } catch (error) {
      if (this.db.isTransaction) this.db.exec('ROLLBACK');
      throw this.#named(error);
    }
  }

  #named(error: unknown): unknown {
    if (isDamage(error)) {
      this.#onDamage();
      const text = 'the read models are damaged; the next start makes them anew';
      return new ReadStoreUnavailableError(text, { cause: error });
    }
    if (!isUnavailable(error)) return error;
    return new ReadStoreUnavailableError((error as Error).message, { cause: error });
  }

  /** After a change of tables, so that no statement of an old one stays. */
  forgetStatements(): void {
    this.#statements.clear();
  }
}
