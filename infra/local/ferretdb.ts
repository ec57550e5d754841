import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildGoProgram } from './go-program.ts';
import { portIn, type Running, running, startServer } from './server-process.ts';

/** FerretDB 1 on SQLite, built from its Go module: MongoDB's protocol for machines without mongod. */
export async function startFerretdb(home: string, signal?: AbortSignal): Promise<Running> {
  const already = running(home, 'ferretdb');
  if (already) return already;
  const command = await buildGoProgram('ferretdb', { signal });
  const files = join(home, 'ferretdb');
  mkdirSync(files, { recursive: true });
  return startServer({
    home,
    name: 'ferretdb',
    command,
    args: ['127.0.0.1:0', files],
    // Garbage collection takes a fifth of its time otherwise, and its heap is small.
    env: { GOGC: '800' },
    readyAt: (log) => portIn(log, /Listening on TCP 127\.0\.0\.1:(\d+)/),
    readyTimeoutMs: 120_000,
  });
}
