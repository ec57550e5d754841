/** Reads a session's output up to a mark, in the pace of the reader. */
import type { Readable } from 'node:stream';

export type LineReader = {
  /** The bytes up to and without `mark`, which is consumed; undefined if the output ended or `maxBytes` came first. */
  until(mark: Buffer, maxBytes?: number): Promise<Buffer | undefined>;
  /** The next line without its end; undefined if the output ended. */
  line(): Promise<string | undefined>;
  /** Everything that has come and was not consumed. */
  taken(): Buffer;
  ended(): boolean;
};

const NEWLINE = Buffer.from('\n');

export function createLineReader(stream: Readable): LineReader {
  let chunks: Buffer[] = [];
  let size = 0;
  let ended = false;
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
    // Only what is new is searched, with as much of the old as the mark could begin in; joined once, when found.
    let searched = 0; // chunks
    let before = 0; // bytes of these
    let tail = Buffer.alloc(0);
    for (;;) {
      for (; searched < chunks.length; searched++) {
        const chunk = chunks[searched]!;
        const window = Buffer.concat([tail, chunk]);
        const at = window.indexOf(mark);
        if (at >= 0) {
          const from = before - tail.length + at;
          const whole = all();
          const rest = whole.subarray(from + mark.length);
          chunks = rest.length > 0 ? [rest] : [];
          size = rest.length;
          return whole.subarray(0, from);
        }
        before += chunk.length;
        tail = window.subarray(Math.max(0, window.length - mark.length + 1));
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
