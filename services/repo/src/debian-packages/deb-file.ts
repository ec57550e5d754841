import { Readable } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { ControlFormError } from './control-paragraph.ts';
import { tarMember } from './tar-member.ts';

/** Opens the bytes from `start` to before `end`. */
export type OpenRange = (start: number, end: number) => Promise<Readable>;

const MAGIC = '!<arch>\n';
const HEADER = 60;
/** What comes before the member with the control data lies within the first bytes. */
const HEAD_BYTES = 4096;
const PACKED_BYTES = 16 * 1024 * 1024;
const UNPACKED_BYTES = 64 * 1024 * 1024;
const CONTROL_BYTES = 128 * 1024;

const UNPACKED: Readonly<Record<string, (packed: Readable) => AsyncIterable<Uint8Array>>> = {
  '': (packed) => packed,
  '.gz': (packed) => through(packed, createGunzip()),
  '.zst': (packed) => through(packed, createZstdDecompress()),
  '.xz': unpackedXz,
};

/**
 * The control file of a binary package (deb(5)). Nothing is written, so names in it lead nowhere; what is read is bounded,
 * packed and unpacked. @throws ControlFormError for what is no such package, and what `open` throws
 */
export async function readDebControl(size: number, open: OpenRange): Promise<Buffer> {
  const head = await bytesOf(await open(0, Math.min(size, HEAD_BYTES)));
  const { packing, start, length } = controlMember(head);
  if (start + length > size) throw new ControlFormError('is cut off');
  const packed = await open(start, start + length);
  try {
    return await tarMember(UNPACKED[packing]!(packed), 'control', {
      all: UNPACKED_BYTES,
      one: CONTROL_BYTES,
    });
  } catch (error) {
    if (packed.errored || error instanceof ControlFormError) throw error;
    throw new ControlFormError('has control data that cannot be unpacked');
  } finally {
    packed.destroy();
  }
}

function controlMember(head: Buffer): { packing: string; start: number; length: number } {
  const text = head.toString('latin1');
  if (!text.startsWith(MAGIC)) throw new ControlFormError('is no archive of ar');
  let at = MAGIC.length;
  for (let first = true; at + HEADER <= head.length; first = false) {
    const header = text.slice(at, at + HEADER);
    const name = header.slice(0, 16).trim().replace(/\/$/, '');
    const digits = header.slice(48, 58).trim();
    if (!header.endsWith('`\n') || !/^\d{1,10}$/.test(digits)) break;
    const length = Number(digits);
    const start = at + HEADER;
    if (first && (name !== 'debian-binary' || !text.startsWith('2.', start))) break;
    const [, packing] = /^control\.tar(|\.gz|\.xz|\.zst)$/.exec(name) ?? [];
    if (packing !== undefined) {
      if (length > PACKED_BYTES) throw new ControlFormError('has control data that is too large');
      return { packing, start, length };
    }
    at = start + length + (length % 2);
  }
  throw new ControlFormError('has no control data where a Debian package has it');
}

/** Dictionaries are bounded to 64 MiB, which is that of the highest preset. */
async function* unpackedXz(packed: Readable): AsyncIterable<Uint8Array> {
  const { default: xz } = await import('xz-decompress');
  const unpacked = new xz.XzReadableStream(Readable.toWeb(packed) as ReadableStream<Uint8Array>);
  yield* Readable.fromWeb(unpacked as never);
}

/** A stream that fails passes its error on to what reads the other. */
function through(packed: Readable, unpacking: NodeJS.ReadWriteStream & Readable): Readable {
  packed.on('error', (error) => unpacking.destroy(error));
  return packed.pipe(unpacking);
}

async function bytesOf(stream: Readable): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(stream as AsyncIterable<Buffer>));
}
