import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import { ReadStoreUnavailableError } from '../../read-store.ts';
import { isDamage, isUnavailable } from './sqlite-errors.ts';
import type { SqlValue } from './table.ts';

const STATEMENTS = 1000;

export class ReadConnection {
  readonly db: DatabaseSync;
  /** Set while earlier data is rolled back and not yet restored; reads are refused then. */
  behind: { cause: unknown } | null = null;
  #isOpen = false;
  readonly #statements = new LRUCache<string, StatementSync>({ max: STATEMENTS });

  readonly #onDamage: () => void;

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
    this.#refuseWhileBehind();
    try {
      return this.prepare(sql).all(...parameters) as unknown as SqlValue[][];
    } catch (error) {
      throw this.#named(error);
    }
  }

  get(sql: string, parameters: readonly SqlValue[] = []): SqlValue[] | undefined {
    this.#refuseWhileBehind();
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

  get isWriting(): boolean {
    return this.#isOpen && !this.behind;
  }

  begin(): void {
    if (this.#isOpen) return;
    this.#execute('BEGIN IMMEDIATE');
    this.#isOpen = true;
  }

  commit(): void {
    if (!this.#isOpen) return;
    this.#execute('COMMIT');
    this.#isOpen = false;
  }

  /** Safe after SQLite rolled back by itself. */
  rollback(): void {
    this.#isOpen = false;
    if (this.db.isTransaction) this.#execute('ROLLBACK');
  }

  transaction<T>(work: () => T): T {
    this.begin();
    try {
      const result = work();
      this.commit();
      return result;
    } catch (error) {
      this.rollback();
      throw error;
    }
  }

  #execute(sql: string): void {
    try {
      this.db.exec(sql);
    } catch (error) {
      throw this.#named(error);
    }
  }

  #refuseWhileBehind(): void {
    if (!this.behind) return;
    const text = 'the read models went back to an earlier state, and are not made up for yet';
    throw new ReadStoreUnavailableError(text, this.behind);
  }

  #named(error: unknown): unknown {
    // A failed read, too, can make SQLite roll back the transaction.
    if (this.#isOpen && !this.db.isTransaction) this.behind = { cause: error };
    if (isDamage(error)) {
      this.#onDamage();
      const text = 'the read models are damaged; the next start makes them anew';
      return new ReadStoreUnavailableError(text, { cause: error });
    }
    if (!isUnavailable(error)) return error;
    return new ReadStoreUnavailableError((error as Error).message, { cause: error });
  }

  /** Call after a schema change. */
  forgetStatements(): void {
    this.#statements.clear();
  }
}
