/*
 * The reference for large files: plain `node:http` that writes each body to a file of FOLDER, made durable, and sends it
 * back. No authentication, no checksums, no log.
 */
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
  await pipeline(request, file.createWriteStream({ flush: true }));
  response.writeHead(201).end();
});
server.listen(Number(process.env.PORT), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
