import { BEGINNING, type RecordedEvent, SYSTEM_METADATA } from '../../../../event.ts';
import { KeyedQueue } from '../../../../keyed-queue.ts';
import { openSqliteEventStore } from '../../../sqlite/sqlite-event-store.ts';

/** A proposed event; its data is opaque bytes. */
export interface Proposed {
  id: string;
  type: string;
  json: boolean;
  data: Uint8Array;
  customMetadata: Uint8Array;
}

export interface Logged extends Proposed {
  stream: string;
  revision: number;
  /** The position in the transaction log. Like in a real one there are gaps. */
  position: bigint;
  created: Date;
}

export type Expected = number | 'any' | 'no-stream' | 'stream-exists';

export type AppendOutcome =
  /** `position` is null for a repeated append, since a server need not return it again. */
  | { kind: 'stored'; revision: number; position: bigint | null }
  | { kind: 'wrong-version'; current: number | null }
  /** Some, but not all, of the events are already stored at their revisions. */
  | { kind: 'invalid-transaction' };

export interface Log {
  append(stream: string, expected: Expected, events: readonly Proposed[]): Promise<AppendOutcome>;
  /** The revision of the stream's last event; null if it is empty. */
  revision(stream: string): number | null;
  readStream(stream: string, from: number, limit: number): Promise<Logged[]>;
  /** Reads the log by event number, 1..length. */
  readAll(from: number, limit: number): Promise<Logged[]>;
  length(): number;
  /** The number of the first event at or after a position; length + 1 if there is none. */
  numberAt(position: bigint): number;
  /** Yields batches of the events after number `after`. */
  follow(after: number, signal: AbortSignal): AsyncIterable<Logged[]>;
  close(): Promise<void>;
}

/** Distance between the positions of two events. */
const STEP = 64n;
const IDEMPOTENCE_WINDOW = 100;

interface Stored {
  id: string;
  json: boolean;
  data: string;
  customMetadata: string;
}

/** The transaction log in a SQLite file. `firstPosition` lets tests start beyond 53 bits. */
export async function openLog(options: { path: string; firstPosition?: bigint }): Promise<Log> {
  const { path, firstPosition = 0n } = options;
  const store = await openSqliteEventStore({ path });
  const appends = new KeyedQueue();
  const revisions = new Map<string, number>();
  let length = 0;
  for (let after = BEGINNING; ; ) {
    const events = await store.readAll({ after, limit: 10_000 });
    for (const { stream, revision } of events) revisions.set(stream, revision);
    length += events.length;
    const last = events.at(-1);
    if (!last) break;
    after = last.position;
  }

  const toLogged = (event: RecordedEvent): Logged => {
    const { id, json, data, customMetadata } = event.data as Stored;
    return {
      id,
      json,
      type: event.type,
      data: Buffer.from(data, 'base64'),
      customMetadata: Buffer.from(customMetadata, 'base64'),
      stream: event.stream,
      revision: event.revision,
      position: firstPosition + BigInt(Number(event.position) - 1) * STEP,
      created: new Date(event.time),
    };
  };

  async function readStream(stream: string, from: number, limit: number): Promise<Logged[]> {
    return (await store.readStream(stream, { fromRevision: from, limit })).map(toLogged);
  }

  /** Checks whether an append that lost its revision is a repeat of a stored one. */
  async function repeated(
    stream: string,
    first: number,
    events: readonly Proposed[],
  ): Promise<AppendOutcome> {
    const current = revisions.get(stream) ?? null;
    const held = await readStream(stream, first, events.length);
    const same = events.findIndex((event, index) => event.id !== held[index]?.id);
    if (same === -1) return { kind: 'stored', revision: first + events.length - 1, position: null };
    return same === 0 ? { kind: 'wrong-version', current } : { kind: 'invalid-transaction' };
  }

  async function appendInTurn(
    stream: string,
    expected: Expected,
    events: readonly Proposed[],
  ): Promise<AppendOutcome> {
    const current = revisions.get(stream) ?? null;
    const next = (current ?? -1) + 1;
    if (expected === 'stream-exists' && current === null) return { kind: 'wrong-version', current };
    if (expected === 'any' || expected === 'stream-exists') {
      // Without an expected revision, look for a repeat only among the newest events.
      const from = Math.max(0, next - IDEMPOTENCE_WINDOW);
      const newest = await readStream(stream, from, IDEMPOTENCE_WINDOW);
      const found = newest.findIndex(({ id }) => id === events[0]?.id);
      if (found !== -1) return repeated(stream, from + found, events);
    } else {
      const first = expected === 'no-stream' ? 0 : expected + 1;
      if (first > next) return { kind: 'wrong-version', current };
      if (first < next) {
        return events.length === 0 ? { kind: 'wrong-version', current } : repeated(stream, first, events);
      }
    }
    if (events.length === 0) return { kind: 'stored', revision: current ?? -1, position: null };
    return write(stream, current, events);
  }

  async function write(
    stream: string,
    current: number | null,
    events: readonly Proposed[],
  ): Promise<AppendOutcome> {
    const first = (current ?? -1) + 1;
    const time = new Date().toISOString();
    const { revision, position } = await store.append(
      stream,
      current ?? 'no-stream',
      events.map(({ id, type, json, data, customMetadata }, index) => ({
        // The file requires ids to be unique in the log; the protocol does not.
        id: `${first + index}@${stream}`,
        type,
        schemaVersion: 1,
        time,
        data: {
          id,
          json,
          data: Buffer.from(data).toString('base64'),
          customMetadata: Buffer.from(customMetadata).toString('base64'),
        } satisfies Stored,
        metadata: SYSTEM_METADATA,
      })),
    );
    revisions.set(stream, revision);
    length = Math.max(length, Number(position));
    return { kind: 'stored', revision, position: firstPosition + BigInt(Number(position) - 1) * STEP };
  }

  const numberToPosition = (number: number) => (number <= 0 ? BEGINNING : String(number).padStart(16, '0'));

  return {
    append: (stream, expected, events) => appends.run(stream, () => appendInTurn(stream, expected, events)),
    revision: (stream) => revisions.get(stream) ?? null,
    readStream,
    readAll: async (from, limit) =>
      (await store.readAll({ after: numberToPosition(from - 1), limit })).map(toLogged),
    length: () => length,
    numberAt(position) {
      const offset = position - firstPosition;
      if (offset <= 0n) return 1;
      const number = (offset + STEP - 1n) / STEP + 1n;
      return number > BigInt(length) ? length + 1 : Number(number);
    },
    async *follow(after, signal) {
      for await (const batch of store.subscribe({ after: numberToPosition(after), maxBatch: 32, signal }))
        yield batch.map(toLogged);
    },
    close: () => store.close(),
  };
}
