import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';

const inflate = promisify(inflateRaw) as unknown as (
  bytes: Uint8Array,
  options: { info: true; maxOutputLength: number },
) => Promise<{ buffer: Buffer; engine: { bytesWritten: number } }>;

export class UnpackedTooLargeError extends Error {
  override readonly name = 'UnpackedTooLargeError';
  constructor(maxBytes: number) {
    super(`its files have more than ${maxBytes} bytes`);
  }
}

const FIXED_HEADER = 10;
const TRAILER = 8;
const [HAS_CHECKSUM, HAS_EXTRA, HAS_NAME, HAS_COMMENT] = [2, 4, 8, 16];

/**
 * Unpacks the files of a report. A runner packs each file by itself and writes one after the other, which `gunzip`
 * would join to one text.
 * @throws UnpackedTooLargeError if it unpacks to `maxBytes` or more altogether, and Error for bytes that are not gzip
 */
export async function* gzipMembers(bytes: Buffer, maxBytes: number): AsyncGenerator<Buffer, void> {
  let left = maxBytes;
  for (let at = 0; at < bytes.length; ) {
    const start = at + headerLength(bytes.subarray(at));
    const { buffer, engine } = await inflate(bytes.subarray(start), {
      info: true,
      maxOutputLength: left,
    }).catch((error: unknown) => {
      throw (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
        ? new UnpackedTooLargeError(maxBytes)
        : error;
    });
    left -= buffer.length;
    at = start + engine.bytesWritten + TRAILER;
    if (at > bytes.length) throw new Error('the gzip file is cut off');
    if (left <= 0) throw new UnpackedTooLargeError(maxBytes);
    yield buffer;
  }
}

/** RFC 1952, 2.3. */
function headerLength(bytes: Buffer): number {
  if (bytes.length < FIXED_HEADER || bytes.readUInt32BE(0) >>> 8 !== 0x1f8b08)
    throw new Error('the file is not gzip');
  const flags = bytes[3]!;
  let at = FIXED_HEADER;
  if (flags & HAS_EXTRA) at += 2 + (at + 2 <= bytes.length ? bytes.readUInt16LE(at) : 0);
  for (const flag of [HAS_NAME, HAS_COMMENT]) {
    if (!(flags & flag)) continue;
    const end = bytes.indexOf(0, at);
    if (end < 0) throw new Error('the gzip file is cut off');
    at = end + 1;
  }
  return flags & HAS_CHECKSUM ? at + 2 : at;
}
