import {
  type AllStreamResolvedEvent,
  BACKWARDS,
  END,
  FORWARDS,
  type ResolvedEvent,
  type StreamingRead,
  StreamNotFoundError,
} from '@eventstore/db-client';
import type { Position, RecordedEvent } from '../../event.ts';
import { arrivals } from './arrivals.ts';
import { type Connection, persist } from './connection.ts';
import { fromServer, isInLog } from './event-envelope.ts';
import { fromPosition } from './log-position.ts';

const MOST = 1_000;

/** Reads from the leader, because other nodes may lag. */
export function readStream(
  connection: Connection,
  stream: string,
  fromRevision: number,
  limit?: number,
): Promise<RecordedEvent[]> {
  return persist(connection, async () => {
    const read = connection.client.readStream(stream, {
      direction: FORWARDS,
      fromRevision: BigInt(fromRevision),
      requiresLeader: true,
      ...(limit === undefined ? {} : { maxCount: limit }),
    });
    const events: RecordedEvent[] = [];
    for await (const { event } of receiveStream(connection, read)) if (event) events.push(fromServer(event));
    return events;
  });
}

export function lastRevision(connection: Connection, stream: string): Promise<number | null> {
  return persist(connection, async () => {
    const read = connection.client.readStream(stream, {
      direction: BACKWARDS,
      fromRevision: END,
      requiresLeader: true,
      maxCount: 1,
    });
    for await (const { event } of receiveStream(connection, read)) if (event) return Number(event.revision);
    return null;
  });
}

export function readAll(connection: Connection, after: Position, limit: number): Promise<RecordedEvent[]> {
  const from = fromPosition(after);
  return persist(connection, async () => {
    const read = connection.client.readAll({ direction: FORWARDS, fromPosition: from, requiresLeader: true });
    const events: RecordedEvent[] = [];
    for await (const { event } of receive<AllStreamResolvedEvent>(connection, read)) {
      if (events.length >= limit) break;
      if (!event || !isInLog(event.streamId)) continue;
      const recorded = fromServer(event);
      // A read includes the event at its start position.
      if (recorded.position > after) events.push(recorded);
      if (events.length >= limit) break;
    }
    return events;
  });
}

export async function* readBackwards(
  connection: Connection,
  maxCount: number | undefined,
): AsyncGenerator<NonNullable<AllStreamResolvedEvent['event']>> {
  const read = connection.client.readAll({
    direction: BACKWARDS,
    fromPosition: END,
    requiresLeader: true,
    ...(maxCount === undefined ? {} : { maxCount }),
  });
  for await (const { event } of receive<AllStreamResolvedEvent>(connection, read)) if (event) yield event;
}

async function* receiveStream(
  connection: Connection,
  read: StreamingRead<ResolvedEvent>,
): AsyncGenerator<ResolvedEvent> {
  try {
    yield* receive<ResolvedEvent>(connection, read);
  } catch (error) {
    if (!(error instanceof StreamNotFoundError)) throw error;
  }
}

async function* receive<T>(connection: Connection, read: StreamingRead<T>): AsyncGenerator<T> {
  const batches = arrivals<T>(read, {
    maxBatch: MOST,
    idleMs: connection.deadlineMs,
    signal: new AbortController().signal,
    cancel: () => read.cancel(),
  });
  for await (const batch of batches) yield* batch;
}
