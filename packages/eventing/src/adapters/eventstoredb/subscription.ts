import { setTimeout as sleep } from 'node:timers/promises';
import { type AllStreamResolvedEvent, streamNameFilter } from '@eventstore/db-client';
import type { Position, RecordedEvent } from '../../event.ts';
import { arrivals } from './arrivals.ts';
import { type Connection, pauses, unavailable } from './connection.ts';
import { fromServer, OF_THE_LOG } from './event-envelope.ts';
import { fromPosition, textOf } from './log-position.ts';
import { failureOf, NoAnswerError } from './server-errors.ts';

export interface SubscriptionOptions {
  after: Position;
  maxBatch: number;
  signal: AbortSignal;
}

/** The server scans so many events at once, and sends a checkpoint after so many scans. */
const SEARCH_WINDOW = 500;
const CHECKPOINT_INTERVAL = 4;
/** Events buffered here per subscriber. Back-pressure leaves the rest on the server. */
const MOST_WAITING = 512;

/** Resumes a broken subscription without gap or repeat. @throws EventStoreUnavailableError after `patienceMs` */
export async function* follow(
  connection: Connection,
  { after, maxBatch, signal }: SubscriptionOptions,
): AsyncGenerator<RecordedEvent[]> {
  const ending = AbortSignal.any([signal, connection.closed]);
  const place: Place = { seen: after, accepted: false };
  let lostAt: number | null = null;
  let pause = pauses();
  while (!ending.aborted) {
    let cause: unknown = new Error('the server ended the subscription');
    try {
      for await (const batch of subscribeOnce(connection, place, maxBatch, ending)) {
        pause = pauses();
        if (batch.length > 0) yield batch;
      }
    } catch (error) {
      cause = error;
    }
    if (ending.aborted) return;
    const failure = failureOf(cause);
    if (failure.kind === 'final') throw failure.error;
    if (place.accepted) lostAt = null;
    place.accepted = false;
    lostAt ??= performance.now();
    if (performance.now() - lostAt > connection.patienceMs) throw unavailable(cause);
    await sleep(pause.next().value, undefined, { signal: ending }).catch(() => {});
  }
}

interface Place {
  seen: Position;
  accepted: boolean;
}

async function* subscribeOnce(
  connection: Connection,
  place: Place,
  maxBatch: number,
  signal: AbortSignal,
): AsyncGenerator<RecordedEvent[]> {
  let checkpoint = place.seen;
  const subscription = connection.client.subscribeToAll(
    {
      fromPosition: fromPosition(place.seen),
      filter: streamNameFilter({
        regex: OF_THE_LOG,
        maxSearchWindow: SEARCH_WINDOW,
        checkpointInterval: CHECKPOINT_INTERVAL,
        checkpointReached: async (_, position) => {
          checkpoint = textOf(position);
        },
      }),
    },
    { highWaterMark: Math.min(maxBatch, MOST_WAITING) },
  );
  const breaking = new AbortController();
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    breaking.abort();
  }, connection.deadlineMs);
  subscription.once('confirmation', () => {
    place.accepted = true;
    clearTimeout(timer);
  });
  try {
    const batches = arrivals<AllStreamResolvedEvent>(subscription, {
      maxBatch,
      idleMs: null,
      signal: AbortSignal.any([signal, breaking.signal]),
      cancel: () => subscription.unsubscribe(),
      // The buffer is empty, so everything before the checkpoint was yielded.
      onDrained: () => {
        if (checkpoint > place.seen) place.seen = checkpoint;
      },
    });
    for await (const batch of batches) {
      const events: RecordedEvent[] = [];
      for (const { event } of batch) {
        if (!event) continue;
        const recorded = fromServer(event);
        if (recorded.position <= place.seen) continue;
        place.seen = recorded.position;
        events.push(recorded);
      }
      yield events;
    }
  } finally {
    clearTimeout(timer);
  }
  if (late && !signal.aborted) throw new NoAnswerError('the subscription was not confirmed in time');
}
