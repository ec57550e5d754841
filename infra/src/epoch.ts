import { events } from '@forgelog/contracts/events.ts';
import { openEventStoreDbEventStore } from '@forgelog/eventing/adapters/eventstoredb/eventstoredb-event-store.ts';
import { createCatalogue } from '@forgelog/eventing/event-catalogue.ts';
import { CorruptLogError, type EventStore } from '@forgelog/eventing/event-store.ts';
import { beginEpoch } from '@forgelog/eventing/log-identity.ts';
import { keepFilesPrivate } from '@forgelog/host/data-folder.ts';
import { lostEvents } from '@forgelog/host/lost-events.ts';
import { failStart } from '@forgelog/host/run-host.ts';
import { readConfiguration } from '@forgelog/service-kit/configuration.ts';
import { createLogger } from '@forgelog/service-kit/log.ts';
import { assemble } from './assembly.ts';
import { openEmbeddedStores } from './embedded-stores.ts';
import { epochLine } from './epoch-line.ts';

/** `npm run epoch`: begins an epoch of a restored log, at EVENTSTORE_URL or else in DATA_DIR. */
async function main(): Promise<void> {
  const { EVENTSTORE_URL, ...environment } = process.env;
  const store = EVENTSTORE_URL
    ? openEventStoreDbEventStore({ url: EVENTSTORE_URL })
    : await embedded(environment);
  try {
    const { after } = await beginEpoch({
      store,
      catalogue: createCatalogue(events),
      clock: () => new Date(),
    });
    process.stdout.write(epochLine(after));
  } finally {
    await store.close();
  }
}

// The epoch's own event would hide read models that are ahead of the log from the next start.
async function embedded(environment: NodeJS.ProcessEnv): Promise<EventStore> {
  const configuration = readConfiguration(environment);
  keepFilesPrivate(configuration.DATA_DIR);
  const { store, readStore } = await openEmbeddedStores(configuration);
  try {
    const parts = assemble({ store, readStore, configuration, log: createLogger(configuration) });
    if (await lostEvents({ store, readStore }, parts))
      throw new CorruptLogError(
        `The read models in ${configuration.DATA_DIR} are ahead of the log: use \`npm run rebuild\`, which begins an epoch too.`,
      );
    return store;
  } catch (error) {
    await store.close();
    throw error;
  } finally {
    await readStore.close();
  }
}

main().catch(failStart);
