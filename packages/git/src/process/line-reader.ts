/** Reads a session's output up to a marker, with back-pressure. */
import type { Readable } from 'node:stream';

export interface LineReader {
  /** Reads up to `mark` and consumes it; undefined if the output ends or `maxBytes` is exceeded first. */
  until(mark: Buffer, maxBytes?: number): Promise<Buffer | undefined>;
  /** Reads a line; undefined if the output ended. */
  line(): Promise<string | undefined>;
  /** Bytes received but not consumed. */
  taken(): Buffer;
  ended(): boolean;
}

const NEWLINE = Buffer.from('\n');

export function createLineReader(stream: Readable): LineReader {
  let chunks: Buffer[] = [];
  let size = 0;
  // One that broke off before anybody listened tells it no more.
  let ended = stream.destroyed || stream.readableEnded;
  let wake = () => {};
  stream.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    stream.pause();
    wake();
  });
  const end = () => {
    ended = true;
    wake();
  };
  stream.on('end', end);
  stream.on('close', end);

  const all = () => {
    const whole = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
    chunks = whole.length > 0 ? [whole] : [];
    return whole;
  };
  const more = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
      stream.resume();
      if (ended) resolve();
    });

  const until = async (mark: Buffer, maxBytes = Number.POSITIVE_INFINITY) => {
    // Search only new bytes, plus the tail where the marker may begin. Join chunks once it is found.
    let searched = 0; // chunks
    let before = 0; // their bytes
    let tail: Buffer = Buffer.alloc(0);
    for (;;) {
      for (; searched < chunks.length; searched++) {
        const chunk = chunks[searched]!;
        // Search the seam between two chunks separately, to avoid copying a chunk.
        const seam = Buffer.concat([tail, chunk.subarray(0, mark.length - 1)]);
        const across = seam.indexOf(mark);
        const within = across < 0 ? chunk.indexOf(mark) : -1;
        if (across >= 0 || within >= 0) {
          const from = before + (across >= 0 ? across - tail.length : within);
          const whole = all();
          const rest = whole.subarray(from + mark.length);
          chunks = rest.length > 0 ? [rest] : [];
          size = rest.length;
          return whole.subarray(0, from);
        }
        before += chunk.length;
        tail = chunk.length < mark.length ? seam : chunk;
        tail = tail.subarray(Math.max(0, tail.length - mark.length + 1));
      }
      if (ended || size > maxBytes) return undefined;
      await more();
    }
  };

  return {
    until,
    line: async () => (await until(NEWLINE))?.toString(),
    taken: all,
    ended: () => ended,
  };
}
