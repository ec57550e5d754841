import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { portIn, type Running, running, startServer } from './server-process.ts';

const SERVER = fileURLToPath(
  import.meta.resolve('@forgelog/eventing/adapters/eventstoredb/testing/server/main.ts'),
);

/** The development server that speaks EventStoreDB's protocol, as a process. Its log is the folder `eventstore`. */
export async function startEventstore(home: string): Promise<Running> {
  const already = running(home, 'eventstore');
  if (already) return already;
  return startServer({
    home,
    name: 'eventstore',
    command: process.execPath,
    args: [SERVER],
    env: { HOST: '127.0.0.1', PORT: '0', DATA_DIR: join(home, 'eventstore') },
    readyAt: (log) => portIn(log, /^esdb:\/\/127\.0\.0\.1:(\d+)\?tls=false$/m),
    readyTimeoutMs: 120_000,
  });
}
