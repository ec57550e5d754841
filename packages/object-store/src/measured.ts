import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { type ObjectBody, ObjectTooLargeError, type PutLimit } from './object-store.ts';

/** Passes a body on, and measures it. The result is complete once the body has ended. */
export function measured(body: ObjectBody, { maxBytes = Number.POSITIVE_INFINITY }: PutLimit = {}) {
  // It may fail before its first read, which then throws; without a listener it would end the process.
  if (body instanceof Readable) body.on('error', () => {});
  const hash = createHash('sha256');
  let size = 0;

  async function* chunks(): AsyncGenerator<Uint8Array, void> {
    for await (const chunk of body instanceof Uint8Array ? [body] : body) {
      size += chunk.length;
      if (size > maxBytes) throw new ObjectTooLargeError(maxBytes);
      hash.update(chunk);
      yield chunk;
    }
  }

  return { chunks: chunks(), result: () => ({ size, sha256: hash.digest('hex') }) };
}
