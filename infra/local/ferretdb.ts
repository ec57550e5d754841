import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildOnce } from './build-step.ts';
import { folder, portIn, type Running, running, startServer } from './server-process.ts';

/** FerretDB 1 on SQLite, built from its Go module: MongoDB's protocol where no mongod can be installed. */
export async function startFerretdb(home: string, signal?: AbortSignal): Promise<Running> {
  const already = running(home, 'ferretdb');
  if (already) return already;
  const cwd = join(folder, 'ferretdb');
  const env = { CGO_ENABLED: '0' };
  const output = await buildOnce({
    name: 'ferretdb',
    sources: ['main.go', 'go.mod', 'go.sum'].map((file) => join(cwd, file)),
    fetch: () => ({ command: 'go', args: ['mod', 'download'], cwd, env }),
    build: (into) => ({
      command: 'go',
      args: ['build', '-trimpath', '-buildvcs=false', '-o', join(into, 'ferretdb'), '.'],
      cwd,
      env,
    }),
    signal,
  });
  const files = join(home, 'ferretdb');
  mkdirSync(files, { recursive: true });
  return startServer({
    home,
    name: 'ferretdb',
    command: join(output, 'ferretdb'),
    args: ['127.0.0.1:0', files],
    // Collecting garbage is a fifth of what it does otherwise, and it holds little.
    env: { GOGC: '800' },
    readyAt: (log) => portIn(log, /Listening on TCP 127\.0\.0\.1:(\d+)/),
    patienceMs: 120_000,
  });
}
