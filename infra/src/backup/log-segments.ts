import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { Row } from '@forgelog/eventing/adapters/sqlite/log-format.ts';
import type { LogReader } from '@forgelog/eventing/adapters/sqlite/log-reader.ts';
import { BackupError } from './backup-error.ts';
import type { BackupIndex, SavedSegment } from './backup-index.ts';
import type { ContentStore } from './content-store.ts';

/* A segment is gzip of lines, a row of the log each, as a JSON array: what `zcat` shows. */

/** Uncompressed bytes from which on a segment is full. One that is not is written anew with the events that follow. */
const FULL = 64 * 1024 * 1024;
const PAGE = 50;
const LEVEL = 1;

/** Saves all events up to a position. `onRow` gets those that are read for it, also some that were saved before. */
export async function saveLog(
  ports: { reader: LogReader; index: BackupIndex; store: ContentStore },
  upTo: number,
  onRow: (row: Row) => void,
): Promise<void> {
  const { index } = ports;
  const newest = index.segments().at(-1);
  let saved = newest?.last ?? 0;
  if (saved >= upTo) return;
  if (newest && newest.uncompressed < FULL) {
    index.cutSegments(newest.first);
    saved = newest.first - 1;
  }
  while (saved < upTo) {
    const segment = await saveSegment(ports, { after: saved, upTo, onRow });
    index.addSegment(segment);
    saved = segment.last;
  }
}

async function saveSegment(
  { reader, store }: { reader: LogReader; store: ContentStore },
  { after, upTo, onRow }: { after: number; upTo: number; onRow: (row: Row) => void },
): Promise<SavedSegment> {
  let last = after;
  let lastId = '';
  let bytes = 0;
  function* lines() {
    while (last < upTo && bytes < FULL) {
      const rows = reader.readRows(last, Math.min(PAGE, upTo - last));
      if (rows.length === 0) throw new Error(`the log ends at ${last}, not at ${upTo}`);
      for (const row of rows) onRow(row);
      [last, , , lastId] = rows.at(-1)!;
      // At once: gzip is handed each chunk in a thread.
      const lines = Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
      bytes += lines.length;
      yield lines;
    }
  }
  const content = await pipeline(lines, createGzip({ level: LEVEL }), (chunks) => store.put(chunks));
  return { first: after + 1, last, lastId, uncompressed: bytes, ...content };
}

/** The rows of a segment. @throws BackupError for one that is damaged, at its end or before */
export async function* rowsOf(segment: SavedSegment, store: ContentStore): AsyncGenerator<Row[], void> {
  const lines = createGunzip();
  // Its failure destroys `lines` with the error.
  pipeline(store.read(segment.sha256), lines).catch(() => {});
  lines.setEncoding('utf8');
  let rest = '';
  try {
    for await (const text of lines) {
      const complete = (rest + text).split('\n');
      rest = complete.pop()!;
      yield complete.map((line) => JSON.parse(line) as Row);
    }
  } catch (cause) {
    if (cause instanceof BackupError) throw cause;
    throw new BackupError(`${segment.sha256} is damaged: ${(cause as Error).message}`, { cause });
  }
}
