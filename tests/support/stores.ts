import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openEventStoreDbEventStore } from '@forgelog/eventing/adapters/eventstoredb/eventstoredb-event-store.ts';
import { startEventStoreServer } from '@forgelog/eventing/adapters/eventstoredb/testing/server/server.ts';
import { openSqliteReadStore } from '@forgelog/eventing/adapters/sqlite/sqlite-read-store.ts';
import { type OpenStores, openEmbeddedStores, openMemoryStores } from '@forgelog/infra/embedded-stores.ts';

/** The log on a development server of its own, over TCP; the read models embedded. */
const openEventStoreDbStores: OpenStores = async ({ DATA_DIR }) => {
  await mkdir(DATA_DIR, { recursive: true });
  const server = await startEventStoreServer({
    path: join(DATA_DIR, 'eventstore.db'),
    maxAppendSize: 8 * 1024 * 1024,
  });
  const store = openEventStoreDbEventStore({ url: server.url });
  const readStore = await openSqliteReadStore({ path: join(DATA_DIR, 'read-models.db') });
  const close = async () => {
    await store.close();
    await server.stop();
  };
  return { store: { ...store, close }, readStore };
};

/** `TEST_STORES=memory` or `eventstoredb` puts all tests of the whole system on these adapters. */
export const storesUnderTest: OpenStores = (configuration) => {
  switch (process.env.TEST_STORES) {
    case 'memory':
      return openMemoryStores(configuration);
    case 'eventstoredb':
      return openEventStoreDbStores(configuration);
    default:
      return openEmbeddedStores(configuration);
  }
};
