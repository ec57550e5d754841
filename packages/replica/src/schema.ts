import { createHash } from 'node:crypto';
import type { Database } from './database.ts';
import type { Column, RecordTable } from './table.ts';
import { factTables, recordTables, views } from './tables.ts';

const POSITION = `CREATE TABLE replica_position (
  position VARCHAR NOT NULL, event_time VARCHAR NOT NULL, event_count BIGINT NOT NULL, tables VARCHAR NOT NULL
)`;
/** What ended, and takes along whatever begins in it later. */
const ENDED_OWNERS = 'CREATE TABLE replica_ended_owners (owner VARCHAR PRIMARY KEY)';

const columnsOf = (columns: Readonly<Record<string, Column>>): string[] =>
  Object.entries(columns).map(([name, { type }]) => `${name} ${type}`);

function createTable(
  name: string,
  columns: Readonly<Record<string, Column>>,
  key: readonly string[],
): string {
  return `CREATE TABLE ${name} (${[...columnsOf(columns), `PRIMARY KEY (${key.join(', ')})`].join(', ')})`;
}

function createHistory({ columns, key, history }: RecordTable): string[] {
  if (history === null) return [];
  const kept = Object.fromEntries([...key, ...history.columns].map((name) => [name, columns[name]!]));
  const times = ['valid_from VARCHAR NOT NULL', 'valid_until VARCHAR'];
  return [`CREATE TABLE ${history.name} (${[...columnsOf(kept), ...times].join(', ')})`];
}

const TABLES: readonly string[] = [
  POSITION,
  ENDED_OWNERS,
  ...recordTables.flatMap((table) => [
    createTable(table.name, table.columns, table.key),
    ...createHistory(table),
  ]),
  ...factTables.map(({ name, columns, key }) => createTable(name, columns, key)),
  ...views.map(({ name, sql }) => `CREATE VIEW ${name} AS ${sql}`),
];

const INDEXES: readonly string[] = [
  ...[...recordTables, ...factTables].flatMap(({ name, columns }) =>
    Object.entries(columns)
      .filter(([, { isIndexed }]) => isIndexed)
      .map(([column]) => `CREATE INDEX ${name}_by_${column} ON ${name} (${column})`),
  ),
  ...recordTables.flatMap(({ history, key }) =>
    history === null ? [] : [`CREATE INDEX ${history.name}_by_key ON ${history.name} (${key.join(', ')})`],
  ),
];

/** Names the tables of this version of the program. */
export const tablesId = createHash('sha256').update(TABLES.join('\n')).digest('hex').slice(0, 16);

export async function createTables(database: Database): Promise<void> {
  for (const sql of [...TABLES, ...(database.hasIndexes ? INDEXES : [])]) await database.run(sql);
}
