import { setTimeout as sleep } from 'node:timers/promises';
import { type CloudEvent, toCloudEvent } from './cloud-event.ts';
import { withDeadline } from './deadline.ts';
import { BEGINNING, type Position, type RecordedEvent } from './event.ts';
import type { EventCatalogue } from './event-catalogue.ts';
import type { EventStore } from './event-store.ts';
import type { Feed } from './feed.ts';
import type { Log } from './log-sink.ts';
import type { PolicySeat } from './policy-seat.ts';
import { Signal } from './signal.ts';

/** @param part the service, where each relays its own events */
export const feedCheckpoint = (name: string, part?: string): string =>
  part === undefined ? `feed:${name}` : `feed:${name}-${part}`;

export interface FeedStatus {
  feed: string;
  /** Everything up to here has left, by this process or, as far as it knows, by another; null until it knows. */
  position: Position | null;
  /** Set while the same events keep failing. */
  failing: { position: Position; attempts: number; error: Error } | null;
}

export interface FeedRelay {
  /** Goes on where the seat says (the beginning of the log, where it never ran) until `stop`; waits for nothing. */
  start(): void;
  status(): FeedStatus;
  /** Resolves when everything that the log held at the time of the call has left; false when that takes longer. */
  idle(options?: { timeoutMs?: number }): Promise<boolean>;
  /** Lets the next one in and closes the feed, within three seconds: what is on its way then is sent again. */
  stop(): Promise<void>;
}

export interface FeedRelayOptions {
  name: string;
  store: EventStore;
  /** Whose turn it is, and where the position is kept. */
  seat: PolicySeat;
  catalogue: EventCatalogue;
  feed: Feed;
  log: Log;
  /** Services whose events leave; those of the machinery itself (reserved ids) mean nothing outside. */
  services: readonly string[];
  batchSize?: number;
  /** Pause after the first failure; doubled after each further one. */
  firstPauseMs?: number;
  /** How long a batch may take to leave; it is sent again then. */
  publishMs?: number;
}

const LONGEST_PAUSE_MS = 5_000;
/** Longer than a feed's own deadlines and repetitions take for a batch. */
const PUBLISH_MS = 300_000;
/** So many events that do not leave may be read again by the next one. */
const SAVE_IDLE_EVERY = 1000;
/** Between two turns: a subscription of a closed log ends at once. */
const TURN_PAUSE_MS = 100;
/** How long a stop waits for what is on its way, and then for the seat and the feed. */
const GIVE_UP_MS = 2_000;
const LEAVE_MS = 1_000;

/**
 * Hands the log to a feed, in order and without gap. What fails is repeated with growing pauses, and so is what had
 * left when its turn ended before it could say so: each event leaves once at least. Whoever has the turn starts where
 * the last saved position ends, so that of two who send at once (one was paused and wakes) both send beginnings of the
 * same sequence, and what arrives first is in order.
 */
export function createFeedRelay(options: FeedRelayOptions): FeedRelay {
  const { name, store, seat, catalogue, feed, log, publishMs = PUBLISH_MS } = options;
  const services = new Set(options.services);
  const ending = new AbortController();
  const { signal } = ending;
  const gaveUp = Promise.withResolvers<never>();
  gaveUp.promise.catch(() => {});
  const moved = new Signal();
  const status: FeedStatus = { feed: name, position: null, failing: null };
  let unsaved = 0;
  let following: Promise<void> | undefined;

  const leaves = (event: RecordedEvent) => services.has(catalogue.get(event.type).service);

  function reached(position: Position): void {
    status.position = position;
    moved.raise();
  }

  const publish = (events: CloudEvent[]) =>
    withDeadline(
      feed.publish(events),
      publishMs,
      () => new Error(`the feed did not take the events within ${publishMs} ms`),
    );

  async function relay(batch: readonly RecordedEvent[]): Promise<void> {
    const events = batch.filter(leaves).map((event) => toCloudEvent(event, catalogue));
    const { position } = batch.at(-1) as RecordedEvent;
    if (events.length > 0) await Promise.race([publish(events), gaveUp.promise]);
    unsaved += batch.length;
    if (events.length > 0 || unsaved >= SAVE_IDLE_EVERY) {
      await seat.save(position);
      unsaved = 0;
    } else seat.note(position);
    status.failing = null;
    reached(position);
  }

  /** @throws what the log throws; a feed or a position that fails is tried again here. */
  async function followLog(after: Position, held: AbortSignal): Promise<void> {
    for await (const batch of store.subscribe({
      after,
      maxBatch: options.batchSize ?? 500,
      signal: held,
    })) {
      for (let attempts = 1; !held.aborted; attempts++) {
        try {
          await relay(batch);
          break;
        } catch (error) {
          await failed(batch[0]?.position ?? after, attempts, error, held);
        }
      }
      if (held.aborted) return;
    }
  }

  async function failed(
    position: Position,
    attempts: number,
    cause: unknown,
    held: AbortSignal,
  ): Promise<void> {
    if (held.aborted) return;
    const error = cause instanceof Error ? cause : new Error(String(cause));
    status.failing = { position, attempts, error };
    log.error({ feed: name, position, attempts, err: error }, 'feed failed; tried again later');
    const pause = Math.min((options.firstPauseMs ?? 500) * 2 ** (attempts - 1), LONGEST_PAUSE_MS);
    await sleep(pause, undefined, { signal: held }).catch(() => {});
  }

  async function takeTurn(): Promise<void> {
    const { position, held } = await seat.take(signal, reached);
    try {
      const head = await store.head();
      const isBeyond = position > head;
      if (isBeyond) {
        // A log restored from a copy gives the positions that it lost to other events, and those must leave.
        const fields = { feed: name, position, head };
        log.error(fields, 'the log ends before the position of a feed, which goes on at its end');
      }
      const after = isBeyond ? head : position;
      unsaved = 0;
      reached(after);
      await followLog(after, held);
    } finally {
      status.failing = null;
      await seat.leave().catch(() => {});
    }
  }

  async function follow(): Promise<void> {
    for (let attempts = 1; !signal.aborted; attempts++) {
      const before = status.position;
      try {
        await takeTurn();
        attempts = 0;
        await sleep(TURN_PAUSE_MS, undefined, { signal }).catch(() => {});
      } catch (error) {
        if (status.position !== before) attempts = 1;
        await failed(status.position ?? BEGINNING, attempts, error, signal);
      }
    }
  }

  async function finish(): Promise<void> {
    await following;
    await feed.close();
  }

  return {
    start() {
      following ??= follow();
    },
    status: () => ({ ...status }),
    async idle({ timeoutMs = 10_000 } = {}) {
      const head = await store.head();
      const patience = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
      const isBehind = () => status.position === null || status.position < head;
      while (isBehind() && !patience.aborted) {
        const seen = moved.count;
        if (isBehind()) await moved.raised(seen, patience);
      }
      return !isBehind();
    },
    async stop() {
      ending.abort();
      const givingUp = setTimeout(() => gaveUp.reject(new Error('given up at the stop')), GIVE_UP_MS);
      const late = new AbortController();
      await Promise.race([
        finish(),
        sleep(GIVE_UP_MS + LEAVE_MS, undefined, { signal: late.signal }).catch(() => {}),
      ]);
      late.abort();
      clearTimeout(givingUp);
    },
  };
}
