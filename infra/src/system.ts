import { mkdir } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createAdmin } from '@forgelog/admin/admin.ts';
import { ensureFirstAdministrator } from '@forgelog/admin/first-administrator.ts';
import { createCi } from '@forgelog/ci/ci.ts';
import type { AnyEndpoint } from '@forgelog/contracts/endpoint.ts';
import { endpoints } from '@forgelog/contracts/endpoints.ts';
import { events } from '@forgelog/contracts/events.ts';
import { createAuthorizer } from '@forgelog/directory/authorizer.ts';
import { createDirectory } from '@forgelog/directory/directory.ts';
import type { Peers, ServicePorts } from '@forgelog/directory/service-ports.ts';
import { createCommandHandler } from '@forgelog/eventing/command-handler.ts';
import { createCatalogue } from '@forgelog/eventing/event-catalogue.ts';
import { newEventId } from '@forgelog/eventing/event-id.ts';
import type { EventStore } from '@forgelog/eventing/event-store.ts';
import { createIdAllocator } from '@forgelog/eventing/id-allocator.ts';
import { createProjectors, type Projectors } from '@forgelog/eventing/projector.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import { createArchiveLimit } from '@forgelog/gateway/archive-limit.ts';
import { createAuthentication } from '@forgelog/gateway/authentication.ts';
import { serveDocsPage } from '@forgelog/gateway/docs-page.ts';
import { createGateway } from '@forgelog/gateway/gateway.ts';
import { createGatewayService } from '@forgelog/gateway/gateway-service.ts';
import { serveHealth } from '@forgelog/gateway/health.ts';
import { createRepo } from '@forgelog/repo/repo.ts';
import type { Configuration } from '@forgelog/service-kit/configuration.ts';
import { createDispatcher } from '@forgelog/service-kit/dispatcher.ts';
import type { Logger } from '@forgelog/service-kit/log.ts';
import { createReferenceResolver } from '@forgelog/service-kit/references.ts';
import { checkImplementations, type Service } from '@forgelog/service-kit/service.ts';
import { createTracker } from '@forgelog/tracker/tracker.ts';

/** Kinds of records that come in numbers reserve their ids in blocks; the others leave no gap at a restart. */
const ID_BLOCKS = { issue: 32, note: 64, todo: 32, spentTime: 32 };

export interface SystemOptions {
  configuration: Configuration;
  log: Logger;
  openStores: (configuration: Configuration) => Promise<{ store: EventStore; readStore: ReadStore }>;
  clock?: () => Date;
  /** Short id of the program's own revision. */
  revision?: string;
  /** Told every answer; tests hold it against the contract. */
  observe?: (endpoint: AnyEndpoint, status: number, body: string | null) => void;
}

export interface System {
  /** Where it listens, without a slash at the end. */
  address: string;
  /** The address that clients are told, EXTERNAL_URL where it is set. */
  externalUrl: string;
  /** The first administrator's token, where this start made one. */
  madeToken: string | null;
  ports: ServicePorts;
  store: EventStore;
  projectors: Projectors;
  services: readonly Service[];
  /** Ends within 10 s: readiness turns, requests in flight end, services and stores close. */
  stop(): Promise<void>;
}

/** All services in one process on embedded stores. @throws before anything listens when something is wrong */
export async function startSystem(options: SystemOptions): Promise<System> {
  const { configuration, log, clock = () => new Date() } = options;
  await mkdir(join(configuration.DATA_DIR), { recursive: true });
  // Whoever comes before the services are ready is told so at once.
  let handle: RequestListener = (_request, response) => {
    response.writeHead(503, { 'Retry-After': '1', 'Content-Type': 'application/json' });
    response.end('{"status":"starting"}');
  };
  const server = createServer((request, response) => handle(request, response));
  const { store, readStore } = await options.openStores(configuration);
  // The port is bound before the services start, because the address that answers name depends on it.
  const address = await listen(server, configuration);
  const externalUrl = configuration.EXTERNAL_URL ?? address;
  const catalogue = createCatalogue(events);
  const directory = createDirectory({ readStore, clock, externalUrl });
  let projectors: Projectors;
  let phase: 'starting' | 'ready' | 'stopping' = 'starting';
  const commands = createCommandHandler({
    store,
    catalogue,
    clock,
    newId: newEventId,
    settled: (position) => projectors.settled(position),
  });
  const ids = createIdAllocator({ store, catalogue, clock, blockSizes: ID_BLOCKS });
  const peers: Peers = { projectsOfGroup: (request) => repo.peer.projectsOfGroup(request) };
  const ports: ServicePorts = { readStore, commands, ids, directory, clock, configuration, log, peers };
  const repo = createRepo(ports);
  const services: Service[] = [createAdmin(ports), repo, createTracker(ports), createCi(ports)];
  const authentication = createAuthentication({ readStore, directory, clock });
  services.push(
    createGatewayService({
      store,
      catalogue,
      endpoints,
      externalUrl,
      revision: options.revision ?? 'unknown',
      projections: [authentication.projection],
    }),
  );
  for (const service of services) checkImplementations(service, endpoints);
  projectors = createProjectors({
    store,
    readStore,
    catalogue,
    projections: [...directory.projections, ...services.flatMap(({ projections }) => projections)],
    policies: services.flatMap(({ policies }) => policies),
    log,
  });
  await projectors.start();
  const { madeToken } = await ensureFirstAdministrator(ports);
  for (const service of services) await service.start?.();
  const resolver = createReferenceResolver([
    ...directory.references,
    ...services.flatMap(({ references }) => references ?? []),
  ]);
  const dispatch = createDispatcher({
    services,
    authorizer: createAuthorizer(directory),
    resolver,
    barrier: () => projectors.barrier(),
    externalUrl,
    onError: (error, { origin, endpoint }) =>
      log.error({ err: error, requestId: origin.requestId, endpoint: endpoint.id }, 'request failed'),
    observe: options.observe,
  });
  const gateway = createGateway({
    endpoints,
    edition: configuration.EDITION,
    authentication,
    archiveLimit: createArchiveLimit(() => performance.now()),
    dispatch,
    barrier: () => projectors.barrier(),
    beside: [serveHealth({ phase: () => phase, projections: () => projectors.status() }), serveDocsPage],
    log,
  });
  handle = gateway;
  phase = 'ready';
  return {
    address,
    externalUrl,
    madeToken,
    ports,
    store,
    projectors,
    services,
    async stop() {
      phase = 'stopping';
      for (const service of services) service.drain?.();
      await closeServer(server);
      for (const service of services) await service.stop?.();
      await projectors.stop();
      await store.close();
      await readStore.close();
    },
  };
}

async function listen(server: Server, { HOST, PORT }: Configuration): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(PORT, HOST, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { port, family, address } = server.address() as AddressInfo;
  const host =
    address === '::' || address === '0.0.0.0' ? '127.0.0.1' : family === 'IPv6' ? `[${address}]` : address;
  return `http://${host}:${port}`;
}

const DRAIN_MS = 8000;

/** No new connections; idle ones close at once, busy ones when their answer is out or the time is up. */
async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection whose last answer is out is idle again only then.
  const sweep = setInterval(() => server.closeIdleConnections(), 20);
  const deadline = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearInterval(sweep);
  clearTimeout(deadline);
}
