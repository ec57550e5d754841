import { setTimeout as sleep } from 'node:timers/promises';
import { toCloudEvent } from './cloud-event.ts';
import { BEGINNING, type Position, type RecordedEvent } from './event.ts';
import type { EventCatalogue } from './event-catalogue.ts';
import type { EventStore } from './event-store.ts';
import type { Feed } from './feed.ts';
import type { Log } from './log-sink.ts';
import type { ReadStore } from './read-store.ts';
import { Signal } from './signal.ts';

export const feedCheckpoint = (name: string): string => `feed:${name}`;

export interface FeedStatus {
  feed: string;
  /** Everything up to here has left. */
  position: Position;
  /** Set while the same events keep failing. */
  failing: { position: Position; attempts: number; error: Error } | null;
}

export interface FeedLag extends FeedStatus {
  /** The end of the log. */
  head: Position;
  /** For how long the oldest event that has not left has been waiting; 0 where there is none. */
  milliseconds: number;
}

export interface FeedRelay {
  /** Finds where it stands (the beginning of the log, where it never ran) and goes on from there until `stop`. */
  start(): Promise<void>;
  status(): FeedStatus;
  lag(): Promise<FeedLag>;
  /** Resolves when everything that the log held at the time of the call has left; false when that takes longer. */
  idle(options?: { timeoutMs?: number }): Promise<boolean>;
  stop(): Promise<void>;
}

export interface FeedRelayOptions {
  /** Names its checkpoint, `feed:<name>`. */
  name: string;
  store: EventStore;
  readStore: ReadStore;
  catalogue: EventCatalogue;
  feed: Feed;
  log: Log;
  clock: () => Date;
  /** Services whose events leave; those of the machinery itself (reserved ids) mean nothing outside. */
  services: readonly string[];
  batchSize?: number;
  /** Pause after the first failure; doubled after each further one. */
  firstPauseMs?: number;
}

const LONGEST_PAUSE_MS = 60_000;

/**
 * Hands the log to a feed, in order and without gap, and keeps in the read store how far it came. What fails is
 * repeated with growing pauses, and so is what had left when a process ended before it could say so: each event leaves
 * once at least.
 */
export function createFeedRelay(options: FeedRelayOptions): FeedRelay {
  const { name, store, readStore, catalogue, feed, log } = options;
  const services = new Set(options.services);
  const ending = new AbortController();
  const { signal } = ending;
  const moved = new Signal();
  const status: FeedStatus = { feed: name, position: BEGINNING, failing: null };
  let following: Promise<void> = Promise.resolve();
  let started: Promise<void> | undefined;

  const leaves = (event: RecordedEvent) => services.has(catalogue.get(event.type).service);

  async function relay(batch: readonly RecordedEvent[]): Promise<void> {
    const events = batch.filter(leaves).map((event) => toCloudEvent(event, catalogue));
    if (events.length > 0) await feed.publish(events);
    const { position } = batch.at(-1) as RecordedEvent;
    await readStore.write({ changes: [], checkpoints: new Map([[feedCheckpoint(name), position]]) });
    status.position = position;
    status.failing = null;
    moved.raise();
  }

  /** @throws what the log throws; a feed or a checkpoint that fails is tried again here. */
  async function followLog(): Promise<void> {
    const maxBatch = options.batchSize ?? 500;
    for await (const batch of store.subscribe({ after: status.position, maxBatch, signal })) {
      for (let attempts = 1; !signal.aborted; attempts++) {
        try {
          await relay(batch);
          break;
        } catch (error) {
          await failed(batch[0]?.position ?? status.position, attempts, error);
        }
      }
      if (signal.aborted) return;
    }
  }

  async function failed(position: Position, attempts: number, cause: unknown): Promise<void> {
    const error = cause instanceof Error ? cause : new Error(String(cause));
    status.failing = { position, attempts, error };
    log.error({ feed: name, position, attempts, err: error }, 'feed failed; tried again later');
    const pause = Math.min((options.firstPauseMs ?? 500) * 2 ** (attempts - 1), LONGEST_PAUSE_MS);
    await sleep(pause, undefined, { signal }).catch(() => {});
  }

  async function follow(): Promise<void> {
    for (let attempts = 1; !signal.aborted; attempts++) {
      const before = status.position;
      try {
        await followLog();
      } catch (error) {
        if (status.position !== before) attempts = 1;
        await failed(status.position, attempts, error);
      }
    }
  }

  async function begin(): Promise<void> {
    status.position = await readStore.checkpoint(feedCheckpoint(name));
    const head = await store.head();
    if (status.position > head) {
      // A log restored from a copy gives the positions that it lost to other events, and those must leave.
      const fields = { feed: name, position: status.position, head };
      log.error(fields, 'the log ends before the position of a feed, which goes on at its end');
      status.position = head;
    }
    following = follow();
  }

  return {
    start: () => (started ??= begin()),
    status: () => ({ ...status }),
    async lag() {
      const head = await store.head();
      const [oldest] = await store.readAll({ after: status.position, limit: 1 });
      const milliseconds = oldest ? options.clock().getTime() - Date.parse(oldest.time) : 0;
      return { ...status, head, milliseconds: Math.max(0, milliseconds) };
    },
    async idle({ timeoutMs = 10_000 } = {}) {
      const head = await store.head();
      const patience = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
      while (status.position < head && !patience.aborted) {
        const seen = moved.count;
        if (status.position < head) await moved.raised(seen, patience);
      }
      return status.position >= head;
    },
    async stop() {
      ending.abort();
      await following;
      await feed.close();
    },
  };
}
