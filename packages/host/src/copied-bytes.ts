import { createHash } from 'node:crypto';
import { withDeadline } from '@forgelog/eventing/deadline.ts';
import type { GivenCopy } from '@forgelog/eventing/read-store.ts';

/* A copy on its way: a line of JSON that describes it, its bytes, and the SHA-256 of both. */

const LONGEST_LINE = 1024 * 1024;
const NEWLINE = 10;

export async function* written(line: string, copy: GivenCopy): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  const head = Buffer.from(`${line}\n`);
  hash.update(head);
  yield head;
  for await (const chunk of copy.read()) {
    hash.update(chunk);
    yield chunk;
  }
  yield hash.digest();
}

export interface CopyOnItsWay {
  /** The line that describes it; nothing says yet that it is whole. */
  line: string;
  /** @throws Error where the bytes are not those that were sent, at the end at the latest */
  bytes(length: number): AsyncGenerator<Uint8Array>;
}

/** @param stallMs how long nothing may come @throws Error */
export async function received(source: AsyncIterable<Uint8Array>, stallMs: number): Promise<CopyOnItsWay> {
  const hash = createHash('sha256');
  const chunks = source[Symbol.asyncIterator]();
  let waiting = Buffer.alloc(0);

  async function more(): Promise<void> {
    const late = () => new Error(`nothing came for ${stallMs} ms`);
    const { value, done } = await withDeadline(chunks.next(), stallMs, late);
    if (done) throw new Error('the copy broke off');
    waiting = waiting.length === 0 ? Buffer.from(value) : Buffer.concat([waiting, value]);
  }

  function taken(length: number): Buffer {
    const part = waiting.subarray(0, length);
    waiting = waiting.subarray(length);
    return part;
  }

  let end = waiting.indexOf(NEWLINE);
  while (end < 0) {
    if (waiting.length > LONGEST_LINE) throw new Error('what came is no copy of read models');
    await more();
    end = waiting.indexOf(NEWLINE);
  }
  const head = taken(end + 1);
  hash.update(head);

  return {
    line: head.toString('utf8'),
    async *bytes(length) {
      for (let left = length; left > 0; ) {
        if (waiting.length === 0) await more();
        const part = taken(Math.min(left, waiting.length));
        hash.update(part);
        left -= part.length;
        yield part;
      }
      const expected = hash.digest();
      while (waiting.length < expected.length) await more();
      if (!taken(expected.length).equals(expected))
        throw new Error('the copy does not have the hash that was sent with it');
      const isOver =
        waiting.length === 0 &&
        (await withDeadline(chunks.next(), stallMs, () => new Error('the copy does not end'))).done;
      if (!isOver) throw new Error('the copy is longer than was said');
    },
  };
}
