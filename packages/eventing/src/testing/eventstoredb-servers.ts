import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EventStoreDBClient } from '@eventstore/db-client';
import type { ConnectionOptions } from '../adapters/eventstoredb/connection.ts';
import { openEventStoreDbEventStore } from '../adapters/eventstoredb/eventstoredb-event-store.ts';
import {
  type EventStoreServer,
  type EventStoreServerOptions,
  startEventStoreServer,
} from '../adapters/eventstoredb/testing/server/server.ts';
import type { EventStore } from '../event-store.ts';

/** Development servers, stores and plain clients, all closed by `stop`. */
export interface EventStoreDbServers {
  /** Starts a server whose positions need all 64 bits. */
  start(options?: Partial<EventStoreServerOptions>): Promise<EventStoreServer & { path: string }>;
  open(server: { url: string }, options?: Partial<ConnectionOptions>): EventStore;
  client(server: { url: string }): EventStoreDBClient;
  stop(): Promise<void>;
}

export function eventStoreDbServers(): EventStoreDbServers {
  const folder = mkdtempSync(join(tmpdir(), 'eventstoredb-'));
  const ends: (() => Promise<void>)[] = [];
  let files = 0;
  return {
    async start(options = {}) {
      const path = options.path ?? join(folder, `${++files}.db`);
      const server = await startEventStoreServer({ firstPosition: 2n ** 62n, ...options, path });
      ends.push(server.stop);
      return { ...server, path };
    },
    open({ url }, options = {}) {
      const store = openEventStoreDbEventStore({ url, ...options });
      ends.push(store.close);
      return store;
    },
    client({ url }) {
      const client = EventStoreDBClient.connectionString(url);
      ends.push(client.dispose);
      return client;
    },
    async stop() {
      for (const end of ends.splice(0).toReversed()) await end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
