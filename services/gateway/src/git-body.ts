import type { IncomingMessage } from 'node:http';
import { type Readable, Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** What a compressed body may become. Git compresses what it asks for, which is small, never a pack. */
const MAX_DECODED = 64 * 1024 * 1024;

/** The body as git wrote it: decoded where it is gzip, up to a bound; null for any other encoding. */
export function decodedBody(request: IncomingMessage): Readable | null {
  const encoding = request.headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (encoding === 'identity') return request;
  if (encoding !== 'gzip' && encoding !== 'x-gzip') return null;
  const gunzip = createGunzip();
  const bounded = boundedTo(MAX_DECODED);
  // Any one that breaks off takes the others with it, so that git never takes half a body for a whole one.
  request.on('error', (error) => gunzip.destroy(error));
  request.on('close', () => {
    if (!request.readableEnded) gunzip.destroy(new Error('the request broke off'));
  });
  gunzip.on('error', (error) => bounded.destroy(error));
  bounded.on('error', () => {
    request.unpipe(gunzip);
    request.resume();
    gunzip.destroy();
  });
  return request.pipe(gunzip).pipe(bounded);
}

function boundedTo(limit: number): Transform {
  let size = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size > limit) done(new Error(`a decoded body of more than ${limit} bytes`));
      else done(null, chunk);
    },
  });
}
