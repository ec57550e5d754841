import type { ServerResponse } from 'node:http';
import type { ServiceName } from '@forgelog/contracts/endpoint.ts';
import { endpoints } from '@forgelog/contracts/endpoints.ts';
import { CorruptLogError } from '@forgelog/eventing/event-store.ts';
import { DEADLINES } from '@forgelog/service-kit/deadlines.ts';
import { createExchangeTokens, type ExchangeTokens } from '@forgelog/service-kit/split/exchange-token.ts';
import { servePeers } from '@forgelog/service-kit/split/peer.ts';
import {
  createServiceApp,
  NOT_READY,
  ServiceResponse,
  sendRefusal,
} from '@forgelog/service-kit/split/service-app.ts';
import { createServiceClient } from '@forgelog/service-kit/split/service-client.ts';
import type { Edge } from './edge.ts';
import type { HostOptions, HostSurroundings, RunningHost } from './host-options.ts';
import type { HostParts, HostStores, ServiceDefinition } from './host-parts.ts';
import { createLeases } from './leases.ts';
import { lostEvents } from './lost-events.ts';
import { ownStorageOnly } from './own-storage.ts';
import { createPeerCheck } from './peer-check.ts';
import { createReadModelCopies, type ReadModelCopies } from './read-model-copies.ts';
import { serviceOperations } from './service-operations.ts';
import type { SplitConfiguration } from './split-configuration.ts';
import { startHost } from './start-host.ts';

export interface SplitHostOptions extends HostSurroundings<SplitConfiguration> {
  openStores: (configuration: SplitConfiguration, service: ServiceName) => Promise<HostStores>;
}

export function splitHost(name: ServiceName, options: SplitHostOptions) {
  const { configuration, clock = () => new Date(), deadlines = DEADLINES } = options;
  const tokens = createExchangeTokens({ secretKey: configuration.SECRET_KEY, clock });
  const client = createServiceClient({ tokens, restartMs: deadlines.restartMs });
  const own = { service: name, secretKey: configuration.SECRET_KEY, clock };
  const peers = createPeerCheck({ own, configuration, log: options.log });
  const host: Omit<HostOptions<SplitConfiguration>, 'services' | 'edge'> = {
    ...options,
    name: `forgelog-${name}`,
    openStores: () => options.openStores(configuration, name),
    storesMayBeAway: true,
    isFirstReplica: configuration.REPLICA === 0,
    feedPart: name,
    leases: ({ readStore, registers }) =>
      createLeases({ service: name, configuration, registers, readStore }),
    operations: (position, directory) => serviceOperations({ client, configuration, position, directory }),
    checkStores: requireHeldEvents,
    problems: peers.problems,
    resources: [{ name: 'service client', stop: async () => client.close() }, peers.stage],
  };
  return { host, tokens, client, own };
}

/** @throws CorruptLogError where the log was restored, and the read models were kept */
async function requireHeldEvents(stores: HostStores, parts: HostParts): Promise<void> {
  const lost = await lostEvents(stores, parts);
  if (lost)
    throw new CorruptLogError(
      `The event log ends at ${lost.head || 'its beginning'}, and ${lost.name} has seen events up to ${lost.seen}. ` +
        'Where the log was restored, delete the read models, begin an epoch with `npm run epoch`, and start again.',
    );
}

export function startServiceHost(
  definition: ServiceDefinition<SplitConfiguration>,
  options: SplitHostOptions,
): Promise<RunningHost> {
  const { configuration, log } = options;
  const { name } = definition;
  const { host, tokens, client, own } = splitHost(name, options);
  const copies = createReadModelCopies({ ...options, service: name, client });
  return startHost({
    ...host,
    services: [definition],
    beforeProjecting: copies.begin,
    page: servePeers(own),
    edge: serviceEdge(name, tokens, copies),
    ...(name === 'repo' && {
      restrict: (rights) => ownStorageOnly(rights, { storage: configuration.STORAGE, log }),
    }),
  });
}

/** A token holds path parameters, and a client may send as many as Node's own limit allows. */
const MAX_HEADERS = 131_072;

/** The internal edge of a service. Its refusals are marked, so the gateway may retry on another instance. */
const serviceEdge = (service: ServiceName, tokens: ExchangeTokens, copies: ReadModelCopies): Edge => ({
  server: {
    maxHeaderSize: MAX_HEADERS,
    ServerResponse: ServiceResponse as typeof ServerResponse,
  },
  refuse: sendRefusal,
  notReady: (response, rejection) => sendRefusal(response, rejection, NOT_READY),
  callersEndIdle: true,
  create: ({ caughtUp, pages, authorizer, log }) => ({
    services: [],
    feeds: () => [],
    handler: ({ dispatch, transport, operations }) =>
      createServiceApp({
        ...{ service, endpoints, tokens, dispatch, caughtUp, authorizer, operations, log },
        health: pages,
        giveCopy: copies.give,
        ...(transport && { git: transport }),
      }),
  }),
});
