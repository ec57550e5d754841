import type { IncomingHttpHeaders } from 'node:http';
import { type Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { Rejection } from '@forgelog/contracts/errors.ts';

export type Message = Readable & { headers: IncomingHttpHeaders };

const UNPACKERS = { gzip: createGunzip, deflate: createInflate, br: createBrotliDecompress } as const;
type Coding = keyof typeof UNPACKERS;

const GZIP_ALONE: readonly Coding[] = ['gzip'];
export const ALL_CODINGS: readonly Coding[] = ['gzip', 'deflate', 'br'];

/**
 * Unpacks a request body up to `limit` bytes. A failed stream emits a Rejection and keeps the connection for its
 * answer.
 * @throws Rejection `unsupported_encoding`
 */
export function decodedBody(request: Message, limit: number, codings = GZIP_ALONE): Readable {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() || 'identity';
  if (encoding === 'identity') return request;
  const coding = codings.find((known) => known === encoding.replace(/^x-gzip$/, 'gzip'));
  if (coding === undefined) {
    const taken = [...codings, 'identity'].join(', ');
    // The header lists the supported encodings (RFC 9110, 12.5.3).
    throw new Rejection('unsupported_encoding', { encoding, taken }, { 'Accept-Encoding': taken });
  }
  // Empty members of gzip unpack to nothing, so the input is limited as well.
  const received = boundedTo(limit);
  const unpacker = UNPACKERS[coding]();
  const unpacked = boundedTo(limit);
  const fail = (error: Error) => unpacked.destroy(error);
  request.on('error', fail);
  request.on('close', () => {
    if (!request.readableEnded) fail(new Error('the request was aborted'));
  });
  received.on('error', fail);
  unpacker.on('error', () =>
    fail(new Rejection('malformed_body', { reason: `The request body is not valid ${coding}` })),
  );
  unpacked.on('error', () => {
    request.unpipe(received);
    request.resume();
    received.destroy();
    unpacker.destroy();
  });
  return request.pipe(received).pipe(unpacker).pipe(unpacked);
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
