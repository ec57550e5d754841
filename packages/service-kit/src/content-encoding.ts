import type { IncomingHttpHeaders } from 'node:http';
import { type Readable, Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Rejection } from '@forgelog/contracts/errors.ts';

/** A request, or what was kept of one. */
export type Message = Readable & { headers: IncomingHttpHeaders };

const GZIP = new Set(['gzip', 'x-gzip']);

/**
 * The body of a request without its Content-Encoding: as it came, or unpacked from gzip up to `limit` bytes, piece by
 * piece. A stream that fails does so with a Rejection (`too_large`, `malformed_body`), and leaves the connection open
 * for it. @throws Rejection `unsupported_encoding`
 */
export function decodedBody(request: Message, limit: number): Readable {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() || 'identity';
  if (encoding === 'identity') return request;
  // The header says what would be taken (RFC 9110, 12.5.3).
  if (!GZIP.has(encoding))
    throw new Rejection('unsupported_encoding', { encoding }, { 'Accept-Encoding': 'gzip, identity' });
  // Members that hold nothing unpack to nothing: what comes in is bounded as well.
  const received = boundedTo(limit);
  const gunzip = createGunzip();
  const unpacked = boundedTo(limit);
  const fail = (error: Error) => unpacked.destroy(error);
  request.on('error', fail);
  request.on('close', () => {
    if (!request.readableEnded) fail(new Error('the request broke off'));
  });
  received.on('error', fail);
  gunzip.on('error', () =>
    fail(new Rejection('malformed_body', { reason: 'The request body is not valid gzip' })),
  );
  unpacked.on('error', () => {
    request.unpipe(received);
    request.resume();
    received.destroy();
    gunzip.destroy();
  });
  return request.pipe(received).pipe(gunzip).pipe(unpacked);
}

export function tooLarge(limit: number): Rejection {
  return new Rejection('too_large', { what: `the body is limited to ${limit} bytes` });
}

function boundedTo(limit: number): Transform {
  let size = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size > limit) done(tooLarge(limit));
      else done(null, chunk);
    },
  });
}
