import { BEGINNING, type Position, type RecordedEvent } from './event.ts';
import type { EventStore } from './event-store.ts';

/** The fewest events that are kept for all. Others are read by a subscription of one's own. */
const KEPT = 512;
const MAX_BATCH = 1_000;

/** The newest events, as one subscription brings them. */
class Tail {
  readonly ready: Promise<void>;
  readonly readers = new Set<() => void>();
  /** Everything after this position is in `events`, as far as it has come. */
  from: Position = BEGINNING;
  over: { error: unknown } | null = null;
  readonly #events: RecordedEvent[] = [];
  readonly #ending = new AbortController();

  constructor(store: EventStore, onEnd: () => void) {
    this.ready = Promise.resolve(store.head()).then((head) => {
      this.from = head;
      void this.#fill(store).finally(onEnd);
    });
    this.ready.catch(onEnd);
  }

  after(place: Position, limit: number): RecordedEvent[] {
    const begin = this.#events.findLastIndex(({ position }) => position <= place) + 1;
    return this.#events.slice(begin, begin + limit);
  }

  leave(wake: () => void): void {
    this.readers.delete(wake);
    if (this.readers.size === 0) this.#ending.abort();
  }

  async #fill(store: EventStore): Promise<void> {
    try {
      for await (const batch of store.subscribe({
        after: this.from,
        maxBatch: KEPT,
        signal: this.#ending.signal,
      })) {
        this.#events.push(...batch);
        // Trimming at double size moves each event at most once.
        if (this.#events.length > 2 * KEPT)
          this.from = this.#events.splice(0, this.#events.length - KEPT).at(-1)!.position;
        this.#tell();
      }
      this.over = { error: undefined };
    } catch (error) {
      this.over = { error };
    }
    this.#tell();
  }

  #tell(): void {
    for (const wake of this.readers) wake();
  }
}

/**
 * The store, with one subscription for all in the process who follow the end of the log: each event is received and decoded
 * once, however many projections, policies and feeds look at it (ADR 137). Who is behind catches up alone.
 */
export function sharedTail(store: EventStore): EventStore {
  let newest: Tail | undefined;

  function join(wake: () => void): Tail {
    newest ??= openTail();
    newest.readers.add(wake);
    return newest;
  }

  function openTail(): Tail {
    const tail: Tail = new Tail(store, () => forget(tail));
    return tail;
  }

  function forget(tail: Tail): void {
    if (newest === tail) newest = undefined;
  }

  return {
    ...store,
    async *subscribe({ after, maxBatch = MAX_BATCH, signal }) {
      let place = after;
      let wake = () => {};
      const onChange = () => wake();
      const tail = join(onChange);
      signal.addEventListener('abort', onChange);
      try {
        await tail.ready;
        while (!signal.aborted) {
          if (place < tail.from) {
            for await (const batch of store.subscribe({ after: place, maxBatch, signal })) {
              place = batch.at(-1)!.position;
              yield batch;
              if (place >= tail.from || signal.aborted) break;
            }
            if (place < tail.from) return;
            continue;
          }
          const events = tail.after(place, maxBatch);
          if (events.length > 0) {
            place = events.at(-1)!.position;
            yield events;
          } else if (tail.over) {
            if (tail.over.error !== undefined) throw tail.over.error;
            return;
          } else {
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
          }
        }
      } finally {
        signal.removeEventListener('abort', onChange);
        tail.leave(onChange);
        if (tail.readers.size === 0) forget(tail);
      }
    },
  };
}
