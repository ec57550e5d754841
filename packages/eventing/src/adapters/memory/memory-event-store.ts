import { BEGINNING, type NewEvent, type Position, type RecordedEvent } from '../../event.ts';
import {
  type AppendResult,
  DuplicateEventIdError,
  type EventStore,
  EventStoreUnavailableError,
  type ExpectedRevision,
  WrongExpectedRevisionError,
} from '../../event-store.ts';
import { Signal } from '../../signal.ts';

const position = (index: number): Position => String(index).padStart(16, '0');

/** The event log as an array: for tests, and the reference model for other adapters. */
export function openMemoryEventStore(): EventStore {
  const log: RecordedEvent[] = [];
  const streams = new Map<string, RecordedEvent[]>();
  const ids = new Map<string, RecordedEvent>();
  const appended = new Signal();
  let closed = false;

  function answer(events: readonly RecordedEvent[]): AppendResult {
    const last = events.at(-1) as RecordedEvent;
    return { revision: last.revision, position: last.position };
  }

  function append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): AppendResult {
    if (closed) throw new EventStoreUnavailableError('the event store is closed');
    if (events.length === 0) throw new RangeError('an append needs at least one event');
    const held = streams.get(stream) ?? [];
    const next = expected === 'no-stream' ? 0 : expected + 1;
    if (next !== held.length) {
      const there = held.slice(next, next + events.length);
      if (there.length === events.length && there.every((event, index) => event.id === events[index]?.id))
        return answer(there);
      throw new WrongExpectedRevisionError(stream, expected, held.length - 1 < 0 ? null : held.length - 1);
    }
    const fresh = new Set(events.map((event) => event.id));
    for (const id of fresh) if (ids.has(id)) throw new DuplicateEventIdError(`event id ${id} is in the log`);
    if (fresh.size < events.length) throw new DuplicateEventIdError('the append repeats an event id');

    const recorded = events.map(
      ({ dataJson: _, ...event }, index): RecordedEvent => ({
        ...JSON.parse(JSON.stringify(event)),
        stream,
        revision: next + index,
        position: position(log.length + 1 + index),
      }),
    );
    for (const event of recorded) {
      log.push(event);
      ids.set(event.id, event);
    }
    streams.set(stream, [...held, ...recorded]);
    appended.raise();
    return { ...answer(recorded), isNew: true };
  }

  const slice = (after: Position, limit: number) => {
    const first = after === BEGINNING ? 0 : Number(after);
    return structuredClone(log.slice(first, first + limit));
  };

  return {
    append: async (stream, expected, events) => append(stream, expected, events),

    async readStream(stream, options) {
      const first = options?.fromRevision ?? 0;
      const events = (streams.get(stream) ?? []).slice(first, first + (options?.limit ?? Infinity));
      return structuredClone(events);
    },

    readAll: async ({ after, limit }) => slice(after, limit),

    async *subscribe({ after, maxBatch = 1000, signal }) {
      let last = after;
      while (!signal.aborted && !closed) {
        const seen = appended.count;
        const batch = slice(last, maxBatch);
        if (batch.length === 0) {
          await appended.raised(seen, signal);
          continue;
        }
        last = (batch.at(-1) as RecordedEvent).position;
        yield batch;
      }
    },

    head: async () => log.at(-1)?.position ?? BEGINNING,

    isPosition: (text) => /^\d{16}$/.test(text),

    async close() {
      closed = true;
      appended.raise();
    },
  };
}
