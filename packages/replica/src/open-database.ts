import type { Database } from './database.ts';

/** Opens a file; its name decides which database it is. */
export async function openDatabase(path: string, options: { readOnly?: boolean } = {}): Promise<Database> {
  if (/\.(duckdb|ddb)$/.test(path)) return (await import('./duckdb.ts')).openDuckDb(path, options);
  return (await import('./sqlite.ts')).openSqlite(path, options);
}
