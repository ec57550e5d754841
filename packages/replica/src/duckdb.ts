import { type Database, inTransaction } from './database.ts';
import { Refusal } from './refusal.ts';
import type { Row, Value } from './table.ts';

const PACKAGE = '@duckdb/node-api';
/** Changes of several fields are a statement each. */
const MOST_STATEMENTS = 500;

/** What this uses of the package, which is not installed by default. */
interface DuckDb {
  DuckDBInstance: {
    create(
      path: string,
      options: Record<string, string>,
    ): Promise<{ connect(): Promise<Connection>; closeSync(): void }>;
  };
}
interface Connection {
  prepare(sql: string): Promise<Statement>;
  closeSync(): void;
}
interface Statement {
  bind(values: readonly unknown[]): void;
  run(): Promise<unknown>;
  runAndReadAll(): Promise<{ getRowObjects(): Record<string, unknown>[] }>;
}

export async function openDuckDb(
  path: string,
  { readOnly = false }: { readOnly?: boolean },
): Promise<Database> {
  const { DuckDBInstance } = await load();
  const instance = await DuckDBInstance.create(path, readOnly ? { access_mode: 'READ_ONLY' } : {});
  const connection = await instance.connect();
  // Planning a small statement takes longer than running it.
  const statements = new Map<string, Statement>();
  const bound = async (sql: string, values: readonly Value[]): Promise<Statement> => {
    let statement = statements.get(sql);
    if (!statement) {
      if (statements.size === MOST_STATEMENTS) statements.clear();
      statement = await connection.prepare(sql);
      statements.set(sql, statement);
    }
    statement.bind(values);
    return statement;
  };
  const run = async (sql: string, values: readonly Value[] = []) => {
    await (await bound(sql, values)).run();
  };
  return {
    run,
    async all(sql, values = []) {
      const answer = await (await bound(sql, values)).runAndReadAll();
      return answer.getRowObjects().map(withNumbers);
    },
    // An update of an indexed column is a deletion and an insertion, which its keys may refuse within a transaction.
    hasIndexes: false,
    transaction: (work) => inTransaction(run, work),
    async close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

async function load(): Promise<DuckDb> {
  try {
    return (await import(PACKAGE)) as DuckDb;
  } catch {
    throw new Refusal(
      `DuckDB needs the package ${PACKAGE}: install it beside this one, or name a file .sqlite.`,
    );
  }
}

/** BIGINT arrives as bigint; ids and seconds are exact as numbers. */
const withNumbers = (row: Record<string, unknown>): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'bigint' ? Number(value) : (value as Value),
    ]),
  );
