/*
 * The reference for large files: plain `node:http` that writes each body to a file of FOLDER, made durable, and sends it
 * back. No authentication, no log, and a checksum only of what is sent to `…/hashed`.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

const folder = process.env.FOLDER ?? '';
const server = createServer(async (request, response) => {
  if (request.url === '/') return response.end();
  const path = join(folder, (request.url ?? '').slice(1).replace(/\W/g, '_'));
  if (request.method === 'GET') {
    response.writeHead(200, { 'Content-Length': (await stat(path)).size });
    // A client may leave as soon as it has the last byte.
    return pipeline(createReadStream(path), response).catch(() => {});
  }
  const file = await open(path, 'w');
  const hash = request.url?.endsWith('/hashed') ? createHash('sha256') : undefined;
  if (hash) request.on('data', (chunk: Buffer) => hash.update(chunk));
  await pipeline(request, file.createWriteStream({ flush: true }));
  response.writeHead(201).end(hash?.digest('hex'));
});
server.listen(Number(process.env.PORT), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
