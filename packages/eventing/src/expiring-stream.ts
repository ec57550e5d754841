import { setTimeout as sleep } from 'node:timers/promises';
import { type AppendedEvent, BEGINNING, type NewEvent, type Position, type RecordedEvent } from './event.ts';
import type { EventStore } from './event-store.ts';

/**
 * Port: one stream beside the log, whose events are removed after some days. Nothing is derived from it. The contract
 * that all adapters share is `testing/expiring-stream.contract.ts`. Any call may throw EventStoreUnavailableError.
 */
export interface ExpiringStream {
  /** Appends at the end, for any number of processes. A repeated append may store its events twice, with the same ids. */
  append(events: readonly NewEvent[]): Promise<void>;
  /** In order, those after a revision (-1 for all) that have not expired. */
  read(options: { after: number; limit: number }): Promise<AppendedEvent[]>;
  /** The revision of the last event, also of one that has expired; -1 where there was none yet. */
  last(): Promise<number>;
  /** Its epochs, the oldest first. They do not expire. */
  epochs(): Promise<readonly StreamEpoch[]>;
  /** Begins an epoch, unless another process has begun one since there were so many. */
  beginEpoch(known: number, epoch: StreamEpoch): Promise<void>;
  close(): Promise<void>;
}

/** Beyond `after`, a revision of an earlier epoch is not that of the same event. */
export interface StreamEpoch {
  name: string;
  after: number;
  ofLog: string;
}

export type FollowedLog = Pick<EventStore, 'readAll' | 'readProject' | 'subscribe' | 'head' | 'isPosition'>;

const POLL_MS = 1_000;

const FORM = /^a(\d{15})$/;
export const positionOf = (revision: number): Position =>
  revision < 0 ? BEGINNING : `a${String(revision).padStart(15, '0')}`;
const revisionOf = (position: Position): number => Number(FORM.exec(position)?.[1] ?? -1);

/** The stream in the form of a log. Other processes append to it, so followers ask again every second. */
export function followedLog(stream: ExpiringStream, pollMs = POLL_MS): FollowedLog {
  const readAll: FollowedLog['readAll'] = async ({ after, limit }) => {
    const events = await stream.read({ after: revisionOf(after), limit });
    return events.map((event): RecordedEvent => ({ ...event, position: positionOf(event.revision) }));
  };
  return {
    readAll,
    head: async () => positionOf(await stream.last()),
    isPosition: (text) => FORM.test(text),
    async *subscribe({ after, maxBatch = 1_000, signal }) {
      let last = after;
      while (!signal.aborted) {
        const batch = await readAll({ after: last, limit: maxBatch });
        if (batch.length > 0) {
          last = batch.at(-1)!.position;
          yield batch;
        } else await sleep(pollMs, undefined, { signal, ref: false }).catch(() => {});
      }
    },
  };
}
