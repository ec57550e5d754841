import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { Lru } from '../../lru.ts';
import type { SqlValue } from './table.ts';

const STATEMENTS = 1000;

/** A connection that keeps its statements prepared and answers rows as plain arrays. */
export class ReadConnection {
  readonly db: DatabaseSync;
  readonly #statements = new Lru<string, StatementSync>(STATEMENTS);

  constructor(path: string) {
    this.db = new DatabaseSync(path, { timeout: 5000 });
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
    return this.prepare(sql).all(...parameters) as unknown as SqlValue[][];
  }

  get(sql: string, parameters: readonly SqlValue[] = []): SqlValue[] | undefined {
    return this.prepare(sql).get(...parameters) as unknown as SqlValue[] | undefined;
  }

  run(sql: string, parameters: readonly SqlValue[] = []): number {
    return Number(this.prepare(sql).run(...parameters).changes);
  }

  /** All of it or nothing. */
  transaction<T>(work: () => T): T {
    this.db.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.db.exec('COMMIT');
      return result;
    } catch (error) {
      if (this.db.isTransaction) this.db.exec('ROLLBACK');
      throw error;
    }
  }

  /** After a change of tables, so that no statement of an old one stays. */
  forgetStatements(): void {
    this.#statements.clear();
  }
}
