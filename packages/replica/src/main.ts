import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { fetchContract } from './contract.ts';
import { follow } from './follow.ts';
import { openDatabase } from './open-database.ts';
import { createProgress } from './progress.ts';
import { Refusal } from './refusal.ts';
import { openReplica } from './replica.ts';
import { createRestApi } from './rest-api.ts';
import { describeTables } from './table-document.ts';
import { verify } from './verify.ts';

const USAGE = `forgelog-replica follow --server <address> --database <file> [--once]
forgelog-replica verify --server <address> --database <file>
forgelog-replica tables

follow   fills the tables from the event stream and keeps them up to date; --once ends when they are
verify   brings them up to date and compares them with the REST API; ends with 1 if anything differs
tables   prints what the tables hold, in Markdown

The token of an administrator, with the scope api, is read from FORGELOG_TOKEN or from --token-file.
A file that ends in .duckdb is one of DuckDB, which needs the package @duckdb/node-api; others are of SQLite.
`;

/** A change on the server while it is compared shows as a difference, which is gone the next time. */
const ATTEMPTS = 3;
const MOST_SHOWN = 100;

const say = (line: string): void => void process.stderr.write(`${line}\n`);

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      server: { type: 'string' },
      database: { type: 'string' },
      'token-file': { type: 'string' },
      once: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const [command, ...rest] = positionals;
  if (command === 'tables' && rest.length === 0) {
    process.stdout.write(describeTables());
    return 0;
  }
  if (values.help || rest.length > 0 || (command !== 'follow' && command !== 'verify')) {
    process.stderr.write(USAGE);
    return values.help ? 0 : 2;
  }
  const { server, database: path } = values;
  if (!server || !URL.canParse(server)) throw new Refusal('--server is needed: https://forgelog.example');
  if (!path) throw new Refusal('--database is needed: the file of the tables, such as forgelog.sqlite');
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort());
  const api = createRestApi(server, tokenOf(values['token-file']));
  const database = await openDatabase(path);
  try {
    const replica = await openReplica(database);
    const ports = { api, replica, progress: createProgress(say, replica.state().count) };
    if (command === 'follow') {
      await follow(ports, { once: values.once, signal: ending.signal });
      return 0;
    }
    for (let attempt = 1; ; attempt += 1) {
      await follow(ports, { once: true, signal: ending.signal });
      if (ending.signal.aborted) return 1;
      const { rows, fields, differences } = await verify({
        api,
        contract: await fetchContract(api),
        database,
      });
      if (differences.length > 0 && attempt < ATTEMPTS) continue;
      for (const difference of differences.slice(0, MOST_SHOWN)) process.stdout.write(`${difference}\n`);
      process.stdout.write(`${rows} rows, ${fields} fields, ${differences.length} differences\n`);
      return differences.length === 0 ? 0 : 1;
    }
  } finally {
    await database.close();
  }
}

function tokenOf(file: string | undefined): string {
  const token = file === undefined ? process.env.FORGELOG_TOKEN : readFileSync(file, 'utf8').trim();
  if (!token) throw new Refusal('FORGELOG_TOKEN or --token-file is needed: the token of an administrator');
  return token;
}

try {
  process.exitCode = await main();
} catch (error) {
  const { message, code } = error as Error & { code?: string };
  say(`forgelog-replica: ${message}`);
  if (code?.startsWith('ERR_PARSE_ARGS')) say(USAGE);
  process.exitCode = 2;
}
