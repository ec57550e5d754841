import { events } from '@forgelog/contracts/events.ts';
import { createDirectory, type Directory } from '@forgelog/directory/directory.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { createCommandHandler } from '@forgelog/eventing/command-handler.ts';
import type { Position } from '@forgelog/eventing/event.ts';
import { createCatalogue, type EventCatalogue } from '@forgelog/eventing/event-catalogue.ts';
import { newEventId } from '@forgelog/eventing/event-id.ts';
import type { EventStore } from '@forgelog/eventing/event-store.ts';
import { createHistory } from '@forgelog/eventing/history.ts';
import { createIdAllocator } from '@forgelog/eventing/id-allocator.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import type { Configuration } from '@forgelog/service-kit/configuration.ts';
import { lazyInstanceKey } from '@forgelog/service-kit/instance-key.ts';
import type { Logger } from '@forgelog/service-kit/log.ts';
import type { Operations } from '@forgelog/service-kit/operations.ts';
import type { Metrics } from '@forgelog/service-kit/telemetry/metrics.ts';
import { openObjects } from './open-objects.ts';

/** Numerous records reserve their ids in blocks; ids of the others have no gap after a restart. */
const ID_BLOCKS = {
  issue: 32,
  job: 64,
  mergeRequest: 8,
  note: 64,
  pipeline: 8,
  todo: 32,
  webHookDelivery: 64,
};

export interface CoreServicesOptions {
  store: EventStore;
  readStore: ReadStore;
  configuration: Configuration;
  log: Logger;
  clock: () => Date;
  externalUrl: string;
  caughtUp: (position: Position) => Promise<void>;
  operations: Operations;
  metrics: Metrics;
}

export interface CoreServices {
  catalogue: EventCatalogue;
  directory: Directory;
  ports: ServicePorts;
}

/** Only builds: nothing here reads, writes or listens. */
export function createCoreServices(options: CoreServicesOptions): CoreServices {
  const { store, readStore, configuration, log, clock, externalUrl, caughtUp, operations, metrics } = options;
  const host = JSON.stringify(externalUrl).slice(1, -1);
  const catalogue = createCatalogue(events, { externalUrl, key: lazyInstanceKey(configuration) });
  const directory = createDirectory({ readStore, clock, externalUrl });
  const commands = createCommandHandler({ store, catalogue, clock, newId: newEventId, caughtUp });
  const ids = createIdAllocator({ store, catalogue, clock, blockSizes: ID_BLOCKS });
  const history = createHistory({ store, catalogue });
  const objects = openObjects(configuration);
  return {
    catalogue,
    directory,
    ports: {
      ...{ readStore, commands, ids, history, objects, directory },
      ...{ clock, configuration, host, log, operations, metrics },
    },
  };
}
