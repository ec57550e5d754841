import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePorts } from './free-ports.ts';
import { buildGoProgram } from './go-program.ts';
import { portIn, type Running, running, startServer } from './server-process.ts';

/** The store's only user. Anyone on this machine may be it, as with the other servers here. */
export const MINIO_USER = { name: 'forgelog', password: 'forgelog-local' };

/** MinIO, built from its Go module: an object store that speaks S3. */
export async function startMinio(home: string, signal?: AbortSignal): Promise<Running> {
  const already = running(home, 'minio');
  if (already) return already;
  const command = await buildGoProgram('minio', { signal });
  const files = join(home, 'minio');
  mkdirSync(files, { recursive: true });
  const [port] = await freePorts(1);
  return startServer({
    home,
    name: 'minio',
    command,
    args: ['server', '--address', `127.0.0.1:${port}`, files],
    env: {
      MINIO_ROOT_USER: MINIO_USER.name,
      MINIO_ROOT_PASSWORD: MINIO_USER.password,
      MINIO_BROWSER: 'off',
      MINIO_UPDATE: 'off',
    },
    readyAt: (log) => portIn(log, /API: http:\/\/127\.0\.0\.1:(\d+)/),
    readyTimeoutMs: 120_000,
  });
}
