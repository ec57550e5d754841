import { setTimeout as sleep } from 'node:timers/promises';
import { type CloudEvent, toCloudEvent } from './cloud-event.ts';
import { withDeadline } from './deadline.ts';
import { BEGINNING, type Position, type RecordedEvent } from './event.ts';
import type { EventCatalogue } from './event-catalogue.ts';
import type { FollowedLog } from './expiring-stream.ts';
import type { Feed } from './feed.ts';
import type { Lease } from './lease.ts';
import type { KnownIdentity } from './log-identity.ts';
import type { Log } from './log-sink.ts';
import { Signal } from './signal.ts';

/** @param part the service, if each service relays its own events */
export const feedCheckpoint = (name: string, part?: string): string =>
  part === undefined ? `feed:${name}` : `feed:${name}-${part}`;

export interface FeedStatus {
  feed: string;
  /** Everything up to here was published, by this process or by another as far as it knows; null until it knows. */
  position: Position | null;
  failing: { position: Position; attempts: number; error: Error } | null;
}

export interface FeedRelay {
  /** Resumes at the saved position, or at the beginning of the log. Does not block. */
  start(): void;
  status(): FeedStatus;
  /** Resolves once everything in the log at the time of the call was published; false on time-out. */
  idle(options?: { timeoutMs?: number }): Promise<boolean>;
  /** Releases the lease and closes the feed, within three seconds. Events in flight are published again. */
  stop(): Promise<void>;
}

export interface FeedRelayOptions {
  name: string;
  store: FollowedLog;
  identity: KnownIdentity;
  lease: Lease;
  catalogue: EventCatalogue;
  feed: Feed;
  log: Log;
  /** Services whose events are published. Internal events (reserved ids) mean nothing outside. */
  services: readonly string[];
  batchSize?: number;
  /** Milliseconds before the first retry, doubled for each further one. */
  firstPauseMs?: number;
  /** Milliseconds a batch may take to publish; then it is retried. */
  publishMs?: number;
}

const LONGEST_PAUSE_MS = 5_000;
/** Milliseconds; longer than a feed's own deadlines and retries take for a batch. */
const PUBLISH_MS = 300_000;
/** Events that are not published, and that the next start may read again. */
const SAVE_IDLE_EVERY = 1000;
/** Milliseconds between two turns: a subscription of a closed log ends at once. */
const TURN_PAUSE_MS = 100;
/** Milliseconds a stop waits for the publish in flight, and then for the lease and the feed. */
const GIVE_UP_MS = 2_000;
const LEAVE_MS = 1_000;

/**
 * Relays the log to a feed, in order and without gaps, at least once. Failures are retried with back-off. Each turn
 * starts at the last saved position. So if a paused replica wakes and two publish at once, both send the same sequence,
 * and first arrivals stay in order.
 */
export function createFeedRelay(options: FeedRelayOptions): FeedRelay {
  const { name, store, identity, lease, catalogue, feed, log, publishMs = PUBLISH_MS } = options;
  const services = new Set(options.services);
  const ending = new AbortController();
  const { signal } = ending;
  let giveUp: (reason: Error) => void = () => {};
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
    const named = await identity.forBatch(batch);
    const events = batch.filter(leaves).map((event) => toCloudEvent(event, catalogue, named));
    const { position } = batch.at(-1) as RecordedEvent;
    if (events.length > 0)
      // A race against one promise of the relay's life would leave something in it with each batch.
      await new Promise<void>((resolve, reject) => {
        giveUp = reject;
        publish(events).then(resolve, reject);
      });
    unsaved += batch.length;
    if (events.length > 0 || unsaved >= SAVE_IDLE_EVERY) {
      await lease.save(position);
      unsaved = 0;
    } else lease.note(position);
    status.failing = null;
    reached(position);
  }

  /** Retries failures of the feed and of the lease. @throws what the log throws */
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
    const { position, held } = await lease.acquire(signal, reached);
    try {
      const head = await store.head();
      const isBeyond = position > head;
      if (isBeyond) {
        // A log restored from a backup reuses lost positions for other events, which must be published.
        const fields = { feed: name, position, head };
        log.error(fields, 'the log ends before the position of a feed, which goes on at its end');
      }
      const after = isBeyond ? head : position;
      unsaved = 0;
      reached(after);
      await followLog(after, held);
    } finally {
      status.failing = null;
      await lease.release().catch(() => {});
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
      const givingUp = setTimeout(() => giveUp(new Error('timed out at the stop')), GIVE_UP_MS);
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
