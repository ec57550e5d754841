import { type NewEvent, SYSTEM_METADATA } from '../../event.ts';
import { newEventId } from '../../event-id.ts';
import { EventStoreUnavailableError, WrongExpectedRevisionError } from '../../event-store.ts';
import type { ExpiringStream, StreamEpoch } from '../../expiring-stream.ts';
import { KeyedQueue } from '../../keyed-queue.ts';
import { append } from './appending.ts';
import { type ConnectionOptions, connect, persist } from './connection.ts';
import { BESIDE } from './event-envelope.ts';
import { lastRevision, readStream } from './reading.ts';

const DAY_S = 86_400;
const MOST_ATTEMPTS = 20;

/** A stream on the server of the log, beside the log. The server expires its events, and its scavenge removes them. */
export function openEventStoreDbExpiringStream({
  name,
  keepDays,
  ...options
}: ConnectionOptions & { name: string; keepDays: number }): ExpiringStream {
  const connection = connect(options);
  const stream = BESIDE + name;
  const epochs = `${stream}-epochs`;
  const appends = new KeyedQueue();
  let known: number | null | undefined;
  let aged: Promise<unknown> | undefined;

  const setAge = () =>
    (aged ??= persist(connection, () =>
      connection.client.setStreamMetadata(
        stream,
        { maxAge: keepDays * DAY_S },
        { deadline: connection.deadlineMs },
      ),
    ).catch((error: unknown) => {
      aged = undefined;
      throw error;
    }));

  const last = async () => (await lastRevision(connection, stream)) ?? -1;

  async function appendAtEnd(events: readonly NewEvent[]): Promise<void> {
    for (let attempts = 0; attempts < MOST_ATTEMPTS; attempts++) {
      known ??= await lastRevision(connection, stream);
      try {
        ({ revision: known } = await append(connection, { stream, expected: known ?? 'no-stream', events }));
        return;
      } catch (error) {
        if (!(error instanceof WrongExpectedRevisionError)) throw error;
        known = error.actual;
      }
    }
    throw new EventStoreUnavailableError(`${stream} grew before each of ${MOST_ATTEMPTS} appends`);
  }

  return {
    async append(events) {
      await setAge();
      await appends.run(stream, () => appendAtEnd(events));
    },
    async read({ after, limit }) {
      const events = await readStream(connection, stream, after + 1, limit);
      return events.map(({ position: _, ...event }) => ({ ...event, stream: name }));
    },
    last,
    async epochs() {
      const events = await readStream(connection, epochs, 0);
      return events.map(({ data }) => data as StreamEpoch);
    },
    async beginEpoch(known, epoch) {
      const event = {
        ...{ id: newEventId(), type: 'StreamEpochBegun', schemaVersion: 1, time: new Date().toISOString() },
        ...{ data: epoch, metadata: SYSTEM_METADATA },
      };
      const expected = known === 0 ? 'no-stream' : known - 1;
      try {
        await append(connection, { stream: epochs, expected, events: [event] });
      } catch (error) {
        if (!(error instanceof WrongExpectedRevisionError)) throw error;
      }
    },
    close: () => connection.close(),
  };
}
