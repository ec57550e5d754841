import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { startEventStoreServer } from './server.ts';

/* `npm run eventstore:dev`: settings are HOST (127.0.0.1), PORT (2113) and DATA_DIR (./data/eventstore). */

/** The limit that Forgelog needs on a real server too: a description alone may exceed the default of 1 MiB. */
const MAX_APPEND_SIZE = 8 * 1024 * 1024;

async function main(): Promise<void> {
  const { HOST = '127.0.0.1', PORT = '2113', DATA_DIR = './data/eventstore' } = process.env;
  const port = Number(PORT);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new RangeError(`PORT ${PORT} is no port`);
  await mkdir(DATA_DIR, { recursive: true });
  const server = await startEventStoreServer({
    path: join(resolve(DATA_DIR), 'log.db'),
    host: HOST,
    port,
    maxAppendSize: MAX_APPEND_SIZE,
  });
  process.stdout.write(`${server.url}\n`);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.once(signal, () => {
      server.stop().then(() => process.exit(0), fail);
    });
  }
}

function fail(error: Error): void {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

main().catch(fail);
