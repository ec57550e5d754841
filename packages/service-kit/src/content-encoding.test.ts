import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { decodedBody } from './content-encoding.ts';
import { collect } from './request-body.ts';

const LIMIT = 100_000;
const message = (chunks: Iterable<Buffer> | AsyncIterable<Buffer>, encoding?: string) =>
  Object.assign(Readable.from(chunks), {
    headers: encoding === undefined ? {} : { 'content-encoding': encoding },
  });
const read = async (chunks: Iterable<Buffer>, encoding?: string) =>
  (await collect(decodedBody(message(chunks, encoding), LIMIT), LIMIT)).toString();

const packed = gzipSync('{"a":1}');

test.each([undefined, '', 'identity', 'gzip', 'GZIP', ' x-gzip '])('as %j it is read', async (encoding) => {
  const plain = encoding === undefined || !encoding.toLowerCase().includes('gzip');
  expect(await read([plain ? Buffer.from('{"a":1}') : packed], encoding)).toBe('{"a":1}');
});

test('unpacks single bytes and several gzip members', async () => {
  const pieces = Array.from(packed, (byte) => Buffer.from([byte]));
  expect(await read(pieces, 'gzip')).toBe('{"a":1}');
  expect(await read([packed, packed], 'gzip')).toBe('{"a":1}{"a":1}');
});

test.each(['br', 'deflate', 'zstd', 'gzip, gzip', '*'])('as %s it is refused', (encoding) => {
  expect(() => decodedBody(message([packed], encoding), LIMIT)).toThrow(
    expect.objectContaining({ status: 415, headers: { 'Accept-Encoding': 'gzip, identity' } }),
  );
});

test.each([
  ['nothing that is packed', [Buffer.from('{"a":1}')]],
  ['nothing at all', []],
  ['half of it', [packed.subarray(0, -3)]],
  ['another checksum', [packed.subarray(0, -8), Buffer.alloc(8)]],
])('%s is malformed', async (_name, chunks) => {
  await expect(read(chunks, 'gzip')).rejects.toMatchObject({ code: 'malformed_body' });
});

test.each([
  ['that unpacks to a thousand times its size', gzipSync(Buffer.alloc(1_000_000))],
  ['that unpacks to nothing', gzipSync('')],
])('a body without end %s is cut off at the limit', async (_name, chunk) => {
  async function* endless() {
    for (;;) yield await setImmediate(chunk);
  }
  const request = message(endless(), 'gzip');
  onTestFinished(() => void request.destroy());
  await expect(collect(decodedBody(request, LIMIT), LIMIT)).rejects.toMatchObject({ code: 'too_large' });
});
