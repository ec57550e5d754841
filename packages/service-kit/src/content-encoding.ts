import type { IncomingHttpHeaders } from 'node:http';
import { type Readable, Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Rejection } from '@forgelog/contracts/errors.ts';

export type Message = Readable & { headers: IncomingHttpHeaders };

const GZIP = new Set(['gzip', 'x-gzip']);

/**
 * Unpacks a request body up to `limit` bytes. A failed stream emits a Rejection and keeps the connection for its
 * answer.
 * @throws Rejection `unsupported_encoding`
 */
export function decodedBody(request: Message, limit: number): Readable {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() || 'identity';
  if (encoding === 'identity') return request;
  // The header lists the supported encodings (RFC 9110, 12.5.3).
  if (!GZIP.has(encoding))
    throw new Rejection('unsupported_encoding', { encoding }, { 'Accept-Encoding': 'gzip, identity' });
  // Empty gzip members unpack to nothing, so the input is limited as well.
  const received = boundedTo(limit);
  const gunzip = createGunzip();
  const unpacked = boundedTo(limit);
  const fail = (error: Error) => unpacked.destroy(error);
  request.on('error', fail);
  request.on('close', () => {
    if (!request.readableEnded) fail(new Error('the request was aborted'));
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
