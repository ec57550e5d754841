import type { Position } from '@forgelog/eventing/event.ts';
import type { FollowedLog } from '@forgelog/eventing/expiring-stream.ts';
import { type LogPart, PART } from './followed-log.ts';

/** A reader that has read the log to its end. One of these three is called, once for each wait. */
export interface WaitingReader {
  /** Everything up to here was read. */
  readonly position: Position;
  /** When to call it if nothing comes, on the clock of `performance.now()`. */
  readonly dueAt: number;
  take(part: LogPart): void;
  due(): void;
  /** The log cannot be followed for all: each reader asks by themselves, and learns why. */
  readAlone(): void;
}

export interface LogEnd {
  /** Returns false where the log has gone on, so that the reader reads that first. */
  wait(reader: WaitingReader): boolean;
  /** Returns false for one that does not wait. */
  leave(reader: WaitingReader): boolean;
  close(): void;
}

/** Milliseconds for which the log is followed after the last reader has left. */
const LINGER_MS = 1_000;

/**
 * Waits for the log on behalf of all idle readers. One subscription and one timer serve any number of them, so that an
 * idle reader costs little memory.
 * @param grainMs how much later than due a reader may be called, so that the timer does not run for each of them
 */
export function createLogEnd(store: Pick<FollowedLog, 'subscribe'>, grainMs: number): LogEnd {
  const waiting = new Set<WaitingReader>();
  let following: { upTo: Position; ending: AbortController } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let timerAt = Number.POSITIVE_INFINITY;

  async function follow(mine: NonNullable<typeof following>): Promise<void> {
    try {
      const { signal } = mine.ending;
      for await (const events of store.subscribe({ after: mine.upTo, maxBatch: PART, signal })) {
        mine.upTo = events.at(-1)!.position;
        hand({ events, upTo: mine.upTo, mayBeLast: events.length < PART });
      }
    } catch {
      // A reader that asks by themselves learns it.
    }
    if (following !== mine) return;
    following = undefined;
    for (const reader of takeAll()) reader.readAlone();
  }

  function takeAll(): WaitingReader[] {
    const all = [...waiting];
    waiting.clear();
    return all;
  }

  function hand(part: LogPart): void {
    for (const reader of takeAll()) {
      // A reader may have read further than this by themselves.
      const events =
        part.events[0]!.position > reader.position
          ? part.events
          : part.events.filter(({ position }) => position > reader.position);
      if (events.length > 0) reader.take({ ...part, events });
      else waiting.add(reader);
    }
  }

  function callAt(moment: number): void {
    if (moment >= timerAt) return;
    clearTimeout(timer);
    const ms = Math.max(grainMs, moment - performance.now());
    timerAt = performance.now() + ms;
    timer = setTimeout(look, ms).unref();
  }

  function look(): void {
    timerAt = Number.POSITIVE_INFINITY;
    if (waiting.size === 0) {
      stop();
      return;
    }
    const now = performance.now();
    let next = Number.POSITIVE_INFINITY;
    for (const reader of [...waiting])
      if (reader.dueAt > now) next = Math.min(next, reader.dueAt);
      else if (waiting.delete(reader)) reader.due();
    callAt(waiting.size === 0 ? now + LINGER_MS : next);
  }

  function stop(): void {
    const { ending } = following ?? {};
    following = undefined;
    ending?.abort();
    clearTimeout(timer);
    timerAt = Number.POSITIVE_INFINITY;
  }

  return {
    wait(reader) {
      if (following && reader.position < following.upTo) return false;
      waiting.add(reader);
      if (!following) {
        following = { upTo: reader.position, ending: new AbortController() };
        void follow(following);
      }
      callAt(reader.dueAt);
      return true;
    },
    leave(reader) {
      if (!waiting.delete(reader)) return false;
      if (waiting.size === 0) callAt(performance.now() + LINGER_MS);
      return true;
    },
    close: stop,
  };
}
