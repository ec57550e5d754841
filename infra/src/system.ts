import { mkdir } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { ensureFirstAdministrator } from '@forgelog/admin/first-administrator.ts';
import type { AnyEndpoint } from '@forgelog/contracts/endpoint.ts';
import { endpoints } from '@forgelog/contracts/endpoints.ts';
import { createAuthorizer } from '@forgelog/directory/authorizer.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { boundedEventStore } from '@forgelog/eventing/bounded-event-store.ts';
import type { EventStore } from '@forgelog/eventing/event-store.ts';
import type { FeedRelay } from '@forgelog/eventing/feed-relay.ts';
import { onlySeat } from '@forgelog/eventing/policy-seat.ts';
import type { Projection } from '@forgelog/eventing/projection.ts';
import { createProjectors, type Projectors } from '@forgelog/eventing/projector.ts';
import { createApplication } from '@forgelog/gateway/application.ts';
import { createArchiveLimit } from '@forgelog/gateway/archive-limit.ts';
import { createBasicAuthentication } from '@forgelog/gateway/basic-authentication.ts';
import { createGateway } from '@forgelog/gateway/gateway.ts';
import { serveGit } from '@forgelog/gateway/git-http.ts';
import { limitAnswers } from '@forgelog/host/answer-deadline.ts';
import { endWithin } from '@forgelog/host/end-within.ts';
import { createKafkaRelay, type OpenFeed, relayed } from '@forgelog/host/kafka-relay.ts';
import { drain, HTTP, listen, refuseBroken, refuseClient } from '@forgelog/host/listener.ts';
import type { Configuration } from '@forgelog/service-kit/configuration.ts';
import { createCursors } from '@forgelog/service-kit/cursor.ts';
import { DEADLINES, type Deadlines } from '@forgelog/service-kit/deadlines.ts';
import { createDispatcher } from '@forgelog/service-kit/dispatcher.ts';
import { logFailure } from '@forgelog/service-kit/failure-log.ts';
import { serveHealth } from '@forgelog/service-kit/health.ts';
import { lazyInstanceKey } from '@forgelog/service-kit/instance-key.ts';
import type { Logger } from '@forgelog/service-kit/log.ts';
import { createReferenceResolver } from '@forgelog/service-kit/references.ts';
import type { Service } from '@forgelog/service-kit/service.ts';
import { addLagMetrics } from '@forgelog/service-kit/telemetry/lag-metrics.ts';
import { serveMetrics } from '@forgelog/service-kit/telemetry/metrics-page.ts';
import { observedEventStore } from '@forgelog/service-kit/telemetry/observed-event-store.ts';
import { openTelemetry } from '@forgelog/service-kit/telemetry/telemetry.ts';
import { assemble } from './assembly.ts';
import type { OpenStores } from './embedded-stores.ts';
import { requireWholeLog } from './log-end.ts';

const LONGEST_PUSH_MS = 3_600_000;

export interface SystemOptions {
  configuration: Configuration;
  log: Logger;
  openStores: OpenStores;
  clock?: () => Date;
  deadlines?: Deadlines;
  /** Short id of the program's own revision. */
  revision?: string;
  /** Told every answer; tests hold it against the contract. */
  observe?: (endpoint: AnyEndpoint, status: number, body: string | null) => void;
  /** What events leave through, in place of Kafka. */
  openFeed?: OpenFeed;
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
  /** To Kafka, where it is configured. */
  relay: FeedRelay | undefined;
  services: readonly Service[];
  projections: readonly Projection[];
  /** Ends within 10 s: readiness turns, requests in flight end, services and stores close. */
  stop(): Promise<void>;
}

/** All services in one process on embedded stores. @throws when something is wrong, and leaves nothing open */
export async function startSystem(options: SystemOptions): Promise<System> {
  const {
    configuration,
    log,
    clock = () => new Date(),
    deadlines = DEADLINES,
    revision = 'unknown',
  } = options;
  await mkdir(configuration.DATA_DIR, { recursive: true });
  const telemetry = await openTelemetry({ configuration, serviceName: 'forgelog', revision, log });
  const opened = await options.openStores(configuration);
  const { readStore } = opened;
  const store = observedEventStore(boundedEventStore(opened.store, deadlines.logMs), telemetry);
  // Whoever comes before the services are ready is told so at once.
  let handle: RequestListener = (_request, response) => {
    response.writeHead(503, { 'Retry-After': '1', 'Content-Type': 'application/json' });
    response.end('{"status":"starting"}');
  };
  const { app, messages } = createApplication();
  // A push may take as long as git lets it, which is longer than what a server waits for by default.
  const server = createServer(
    { ...HTTP, ...messages, requestTimeout: LONGEST_PUSH_MS },
    (request, response) => handle(request, response),
  );
  refuseBroken(server);
  limitAnswers(server, { answerMs: deadlines.answerMs, log, refuse: refuseClient });
  let phase: 'starting' | 'ready' | 'stopping' = 'starting';
  const started: Service[] = [];
  let projectors: Projectors | undefined;
  let relay: FeedRelay | undefined;

  async function close(): Promise<void> {
    phase = 'stopping';
    for (const service of started) service.drain?.();
    // What requests in flight still write leaves after the next start.
    await Promise.all([drain(server), relay?.stop()]);
    const end = (step: string, ending: () => Promise<unknown> | undefined) =>
      endWithin(step, ending, { stopMs: deadlines.stopMs, log });
    for (const service of started.toReversed()) await end(service.name, async () => service.stop?.());
    await end('projectors', () => projectors?.stop());
    await end('read store', () => readStore.close());
    await end('event store', () => store.close());
    await end('telemetry', () => telemetry.close?.());
  }

  try {
    // The port is bound before the services start, because the address that answers name depends on it.
    const address = await listen(server, configuration);
    const externalUrl = configuration.EXTERNAL_URL ?? address;
    const settled = (position: string) => projectors!.settled(position);
    const parts = assemble({
      store,
      readStore,
      configuration,
      log,
      clock,
      externalUrl,
      revision,
      telemetry,
      settled,
    });
    const { catalogue, directory, ports, services, projections, policies } = parts;
    await requireWholeLog({ store, readStore }, { dataDir: configuration.DATA_DIR, projections, policies });
    projectors = createProjectors({ store, readStore, catalogue, projections, policies, log });
    addLagMetrics(telemetry.metrics, {
      store,
      clock,
      projections: projectors.status,
      policies: projectors.policies,
      feeds: () => [...parts.feeds(), ...relayed(relay)],
    });
    relay = await createKafkaRelay({
      configuration,
      store,
      catalogue,
      seats: (name) => onlySeat(name, readStore),
      log,
      tracing: { tracer: telemetry.tracer, clock },
      openFeed: options.openFeed,
    });
    await projectors.start();
    const { madeToken } = await ensureFirstAdministrator(ports);
    for (const service of services) {
      started.push(service);
      await service.start?.();
    }
    const barrier = () => projectors!.barrier();
    const authorizer = createAuthorizer(directory);
    const { authentication, transport } = parts;
    const git = serveGit({
      basic: createBasicAuthentication({
        authentication,
        directory,
        readStore,
        now: () => performance.now(),
      }),
      authorizer,
      transport,
      barrier,
      formerProject: async (path) => (await directory.projectByFormerPath(path))?.id,
      log,
    });
    const dispatch = createDispatcher({
      cursors: createCursors(lazyInstanceKey(configuration)),
      services,
      authorizer,
      resolver: createReferenceResolver([
        ...directory.references,
        ...services.flatMap(({ references }) => references ?? []),
      ]),
      externalUrl,
      clock,
      onError: logFailure(log),
      observe: options.observe,
      tracer: telemetry.tracer,
    });
    const health = serveHealth({ phase: () => phase, projections: () => projectors!.status() });
    const figures = serveMetrics({ metrics: telemetry.metrics, configuration });
    handle = createGateway({
      app,
      endpoints,
      edition: configuration.EDITION,
      authentication,
      archiveLimit: createArchiveLimit(),
      dispatch,
      barrier,
      pages: (...asked) => health(...asked) || figures(...asked),
      git,
      log,
      telemetry,
    });
    phase = 'ready';
    relay?.start();
    const own = { ports, store, projectors, relay, services, projections };
    return { address, externalUrl, madeToken, ...own, stop: close };
  } catch (error) {
    await close();
    throw error;
  }
}
