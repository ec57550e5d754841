import type { Contract } from './contract.ts';
import type { Database } from './database.ts';
import type { Fields } from './published-event.ts';
import type { RestApi } from './rest-api.ts';
import type { Comparison, Row } from './table.ts';
import { recordTables, views } from './tables.ts';

export interface Verification {
  rows: number;
  fields: number;
  /** A sentence each: the table, the row and what differs. */
  differences: string[];
}

interface Ports {
  api: RestApi;
  contract: Contract;
  database: Database;
}

/** Compares the tables with what the REST API serves, field by field. */
export async function verify(ports: Ports): Promise<Verification> {
  const found: Verification = { rows: 0, fields: 0, differences: [] };
  for (const { name, compare } of [...recordTables, ...views])
    if (compare) await compareTable(name, compare, { ...ports, found });
  return found;
}

async function compareTable(
  table: string,
  { select, key, isPartial = false, served }: Comparison,
  { api, contract, database, found }: Ports & { found: Verification },
): Promise<void> {
  const keyOf = (row: Readonly<Record<string, unknown>>) => key.map((name) => row[name]).join(' ');
  const own = new Map((await database.all(select)).map((row) => [keyOf(row), row]));
  for await (const other of served(api)) {
    const name = `${table} ${keyOf(other)}`;
    const row = own.get(keyOf(other));
    own.delete(keyOf(other));
    found.rows += 1;
    if (!row) {
      found.differences.push(`${name} is missing: the server has ${JSON.stringify(other).slice(0, 200)}`);
      continue;
    }
    for (const [column, value] of Object.entries(other)) {
      if (value === undefined) continue;
      found.fields += 1;
      const difference = differenceOf(row, column, value, contract);
      if (difference) found.differences.push(`${name}: ${difference}`);
    }
  }
  if (!isPartial)
    for (const name of own.keys()) found.differences.push(`${table} ${name} is not on the server`);
}

function differenceOf(
  row: Row,
  column: string,
  served: unknown,
  { notServed }: Contract,
): string | undefined {
  const value = row[column] as unknown;
  if (typeof served === 'boolean') return told(column, value, Number(served));
  if (typeof served !== 'object' || served === null) return told(column, value, served);
  const own = JSON.parse(String(value));
  if (Array.isArray(served)) return told(column, sorted(own), sorted(served));
  const shown = Object.entries<unknown>(own).map(([name, each]) => [
    name,
    each !== null && name in notServed ? notServed[name] : each,
  ]);
  return membersTold(column, Object.fromEntries(shown), served);
}

/** Compares the members that the replica has: the answer of the API has others beside them. */
function membersTold(what: string, own: Fields, served: Fields): string | undefined {
  const problems = Object.entries<unknown>(own).map(([name, each]) => {
    const other: unknown = served[name];
    if (other === undefined) return undefined;
    return isMembers(each) && isMembers(other)
      ? membersTold(`${what}.${name}`, each, other)
      : told(`${what}.${name}`, each, other);
  });
  return problems.filter(Boolean).join('; ') || undefined;
}

const isMembers = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function told(what: string, own: unknown, served: unknown): string | undefined {
  const [ours, theirs] = [JSON.stringify(own), JSON.stringify(served)];
  return ours === theirs ? undefined : `${what} is ${ours}, and the server says ${theirs}`;
}

/** Lists of the API have an order of their own. */
const sorted = (list: readonly unknown[]): unknown[] =>
  list.toSorted((a, b) => (String(a) < String(b) ? -1 : 1));
