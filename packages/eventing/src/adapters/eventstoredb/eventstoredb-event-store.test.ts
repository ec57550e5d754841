import { afterAll, describe, test } from 'vitest';
import { describeEventStore } from '../../testing/event-store.contract.ts';
import { eventStoreDbServers } from '../../testing/eventstoredb-servers.ts';
import { openEventStoreDbEventStore } from './eventstoredb-event-store.ts';

const servers = eventStoreDbServers();
afterAll(() => servers.stop());

const blindToIds = 'EventStoreDB checks the ids of one stream only';

describeEventStore('eventstoredb on the development server', async () => {
  const server = await servers.start();
  const store = servers.open(server);
  return {
    store,
    blindToIds,
    async reopen() {
      await store.close();
      await server.stop();
      return servers.open(await servers.start({ path: server.path, port: server.port }));
    },
  };
});

const url = process.env.EVENTSTORE_URL;
if (url) {
  describeEventStore('eventstoredb at EVENTSTORE_URL', async () => {
    const store = openEventStoreDbEventStore({ url });
    return {
      store,
      blindToIds,
      async reopen() {
        await store.close();
        return openEventStoreDbEventStore({ url });
      },
    };
  });
} else {
  describe('event store: eventstoredb at EVENTSTORE_URL', () => {
    test.skip('runs if EVENTSTORE_URL names a server', () => {});
  });
}
