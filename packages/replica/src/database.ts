import type { Row, Value } from './table.ts';

/** Where the tables are. One connection writes; a transaction is the only unit that a crash keeps or loses. */
export interface Database {
  run(sql: string, values?: readonly Value[]): Promise<void>;
  all(sql: string, values?: readonly Value[]): Promise<Row[]>;
  /** Whether indexes help: a store of columns is quicker without. */
  hasIndexes: boolean;
  /** Runs it in a transaction, which a failure takes back. */
  transaction<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** @param run executes a statement without an answer */
export async function inTransaction<T>(
  run: (sql: string) => Promise<void>,
  work: () => Promise<T>,
): Promise<T> {
  await run('BEGIN');
  try {
    const result = await work();
    await run('COMMIT');
    return result;
  } catch (error) {
    // The failure itself counts, also where it has ended the transaction already.
    await run('ROLLBACK').catch(() => {});
    throw error;
  }
}
