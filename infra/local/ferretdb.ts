import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildOnce } from './build-step.ts';
import { folder, freePort, type Running, running, startServer, stateFolder } from './server-process.ts';

/** FerretDB 1 on SQLite, built from its Go module: MongoDB's protocol where no mongod can be installed. */
export async function startFerretdb(): Promise<Running> {
  const already = running('ferretdb');
  if (already) return already;
  const source = join(folder, 'ferretdb');
  const output = buildOnce({
    name: 'ferretdb',
    sources: ['main.go', 'go.mod', 'go.sum'].map((file) => join(source, file)),
    command: 'go',
    args: (into) => ['build', '-trimpath', '-buildvcs=false', '-o', join(into, 'ferretdb'), '.'],
    cwd: source,
    env: { CGO_ENABLED: '0' },
  });
  const files = join(stateFolder, 'ferretdb');
  mkdirSync(files, { recursive: true });
  const port = await freePort();
  return startServer({
    name: 'ferretdb',
    port,
    command: join(output, 'ferretdb'),
    args: [`127.0.0.1:${port}`, files],
    ready: (log) => log.includes('Listening on TCP'),
    patienceMs: 30_000,
  });
}
