import type { EventStore } from '../../event-store.ts';
import { append } from './appending.ts';
import { type ConnectionOptions, closedError, connect } from './connection.ts';
import { createLogHead } from './log-head.ts';
import { isPosition } from './log-position.ts';
import { readAll, readStream } from './reading.ts';
import { follow } from './subscription.ts';

const MAX_BATCH = 1_000;

/** EventStoreDB 22.6 or newer, to which no other system writes. @throws Error for a malformed connection string */
export function openEventStoreDbEventStore(options: ConnectionOptions): EventStore {
  const connection = connect(options);
  const head = createLogHead(connection);
  const begun = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;

  async function close(): Promise<void> {
    await Promise.allSettled(begun);
    await connection.close();
  }

  return {
    async append(stream, expected, events) {
      if (closing) throw closedError();
      const appending = append(connection, { stream, expected, events });
      begun.add(appending);
      try {
        return await appending;
      } finally {
        begun.delete(appending);
      }
    },
    readStream: (stream, read) => readStream(connection, stream, read?.fromRevision ?? 0, read?.limit),
    readAll: ({ after, limit }) => readAll(connection, after, limit),
    subscribe: ({ after, maxBatch = MAX_BATCH, signal }) => follow(connection, { after, maxBatch, signal }),
    head,
    isPosition,
    close: () => (closing ??= close()),
  };
}
