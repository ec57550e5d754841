/** Reads short requests of git's protocol version 2, so that memory or the cache can answer them. */
import { Readable } from 'node:stream';
import { FLUSH } from './packet.ts';

export interface ProtocolRequest {
  command: 'ls-refs' | 'fetch';
  /** Lines without line feed: capabilities before the delimiter, arguments after it. */
  capabilities: string[];
  args: string[];
}

export interface WholeRequest {
  request: ProtocolRequest;
  bytes: Buffer;
}

/** A marker between capabilities and arguments (`gitprotocol-v2(5)`). */
const DELIMITER = '0001';
const COMMAND = /^00(?:13command=ls-refs|14command=ls-refs\n|11command=fetch|12command=fetch\n)/;
const LONGEST_COMMAND = 20;
/** A clone names each wanted tip, in 50 bytes. */
const MAX_REQUEST = 256 * 1024;

/**
 * Reads a short request to its end. `whole` is missing if the request is long or not understood. `body` repeats all
 * bytes for git, since a stream that ended cannot be unread. Rejects if the request breaks off.
 */
export async function readRequest(body: Readable): Promise<{ whole?: WholeRequest; body: Readable }> {
  const chunks = body.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
  const { bytes, isWhole } = await begin(chunks);
  const request = isWhole ? parse(bytes) : undefined;
  const again = Readable.from(from(bytes, chunks), { objectMode: false });
  return request ? { whole: { request, bytes }, body: again } : { body: again };
}

async function begin(chunks: AsyncIterator<Buffer>): Promise<{ bytes: Buffer; isWhole: boolean }> {
  let bytes: Buffer = Buffer.alloc(0);
  for (;;) {
    const { value, done } = await chunks.next();
    if (done) return { bytes, isWhole: false };
    bytes = Buffer.concat([bytes, value]);
    const isKnown = COMMAND.test(bytes.toString('latin1', 0, LONGEST_COMMAND));
    if (!isKnown || bytes.length > MAX_REQUEST) return { bytes, isWhole: false };
    if (bytes.toString('latin1', bytes.length - FLUSH.length) === FLUSH) return { bytes, isWhole: true };
  }
}

async function* from(bytes: Buffer, chunks: AsyncIterator<Buffer>) {
  yield bytes;
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
}

function parse(bytes: Buffer): ProtocolRequest | undefined {
  const capabilities: string[] = [];
  const args: string[] = [];
  let lines = capabilities;
  for (let at = 0; at < bytes.length; ) {
    const head = bytes.toString('latin1', at, at + 4);
    if (head === FLUSH) {
      if (at + 4 !== bytes.length) return undefined;
      const command = capabilities.shift() === 'command=fetch' ? 'fetch' : 'ls-refs';
      return { command, capabilities, args };
    }
    if (head === DELIMITER) {
      lines = args;
      at += 4;
      continue;
    }
    const length = /^[0-9a-f]{4}$/.test(head) ? Number.parseInt(head, 16) : 0;
    if (length <= 4 || at + length > bytes.length) return undefined;
    lines.push(bytes.toString('utf8', at + 4, at + length).replace(/\n$/, ''));
    at += length;
  }
  return undefined;
}
