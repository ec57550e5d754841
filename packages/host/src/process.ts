import { mkdir } from 'node:fs/promises';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AnyEndpoint, ServiceName } from '@forgelog/contracts/endpoint.ts';
import { boundedEventStore } from '@forgelog/eventing/bounded-event-store.ts';
import type { Position } from '@forgelog/eventing/event.ts';
import type { EventStore } from '@forgelog/eventing/event-store.ts';
import type { FeedRelay } from '@forgelog/eventing/feed-relay.ts';
import { createProjectors, type Projectors } from '@forgelog/eventing/projector.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import type { Registers } from '@forgelog/eventing/registers.ts';
import { DEADLINES, type Deadlines } from '@forgelog/service-kit/deadlines.ts';
import { serveHealth } from '@forgelog/service-kit/health.ts';
import type { Logger } from '@forgelog/service-kit/log.ts';
import type { Service } from '@forgelog/service-kit/service.ts';
import { createExchangeTokens, type ExchangeTokens } from '@forgelog/service-kit/split/exchange-token.ts';
import { ServiceResponse, sendRefusal } from '@forgelog/service-kit/split/service-app.ts';
import { createServiceClient, type ServiceClient } from '@forgelog/service-kit/split/service-client.ts';
import { addLagMetrics } from '@forgelog/service-kit/telemetry/lag-metrics.ts';
import { serveMetrics } from '@forgelog/service-kit/telemetry/metrics-page.ts';
import { observedEventStore } from '@forgelog/service-kit/telemetry/observed-event-store.ts';
import { openTelemetry, type Telemetry } from '@forgelog/service-kit/telemetry/telemetry.ts';
import { tracedPolicies, tracedProjections } from '@forgelog/service-kit/telemetry/traced-followers.ts';
import { unavailable } from '@forgelog/service-kit/unavailable.ts';
import { limitAnswers } from './answer-deadline.ts';
import { endWithin } from './end-within.ts';
import { type Foundation, layFoundation } from './foundation.ts';
import { createKafkaRelay, type OpenFeed, relayed } from './kafka-relay.ts';
import { drain, HTTP, listen, refuseBroken, refuseClient } from './listener.ts';
import { onceReachable } from './once-reachable.ts';
import { remotePeers } from './remote-peers.ts';
import { createSeats } from './seats.ts';
import type { SplitConfiguration } from './split-configuration.ts';

export interface ProcessStores {
  store: EventStore;
  /** This process's own: nobody else writes there. */
  readStore: ReadStore;
  /** What the replicas of all services share; without it each runs its policies itself. */
  registers?: Registers;
}

export interface ProcessOptions {
  configuration: SplitConfiguration;
  log: Logger;
  openStores: (configuration: SplitConfiguration, service: ServiceName) => Promise<ProcessStores>;
  clock?: () => Date;
  deadlines?: Deadlines;
  /** Short id of the program's own revision. */
  revision?: string;
  /** Ends a start that is under way. */
  signal?: AbortSignal | undefined;
  /** Told every answer; tests hold it against the contract. */
  observe?: (endpoint: AnyEndpoint, status: number, body: string | null) => void;
  /** What events leave through, in place of Kafka. */
  openFeed?: OpenFeed;
  /** What the server makes requests and responses of, where the part that answers wants them to be its own. */
  messages?: Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>;
}

/** What the part that answers is made of. */
export interface Base extends Foundation {
  store: EventStore;
  tokens: ExchangeTokens;
  client: ServiceClient;
  clock: () => Date;
  /** Health and metrics, which need no token of the gateway's. */
  health: (request: IncomingMessage, response: ServerResponse, path: string) => boolean;
  telemetry: Telemetry;
  /** Everything up to here is in this process's read models. */
  position: () => Position;
  settled: (position: Position) => Promise<void>;
  barrier: () => Position | Promise<Position>;
}

/** What a process runs, and how it answers. */
export interface Plan {
  service: Service;
  handler: RequestListener;
  /** What leaves the system here, and how far it came. */
  feeds?: () => { feed: string; position: Position }[];
  /** When the read models have caught up, before requests come. */
  prepare?: () => Promise<void>;
}

export interface RunningProcess {
  name: ServiceName;
  address: string;
  projectors: Projectors;
  /** To Kafka, where it is configured and this service has events that leave. */
  relay: FeedRelay | undefined;
  ports: Foundation['ports'];
  stop(): Promise<void>;
}

/** A push may take as long as git lets it, which is longer than what a server waits for by default. */
const LONGEST_REQUEST_MS = 3_600_000;
/** Longer than the pauses between exchanges of a busy gateway, which closes what it does not need. */
const KEEP_ALIVE_MS = 60_000;
/** An exchange's token holds the parameters of a path, of which a client may send as much as Node takes. */
const MAX_HEADERS = 131_072;
/** Who has written waits longer than who reads: a refusal now would not say whether the change was made. */
const SHOWN_WITHIN_MS = 15_000;
/** How long a stop waits for reactions in progress. */
const REACTIONS_MS = 3_000;

/**
 * One service as a process: its own read models of the shared log, and a door. Stores that cannot be reached yet are
 * waited for behind the door, which says meanwhile that the process lives and is not ready.
 * @throws and leaves nothing open
 */
export async function startProcess(
  name: ServiceName,
  options: ProcessOptions,
  plan: (base: Base) => Plan,
): Promise<RunningProcess> {
  const { configuration, log, clock = () => new Date(), deadlines = DEADLINES, signal } = options;
  await mkdir(configuration.DATA_DIR, { recursive: true });
  const telemetry = await openTelemetry({
    configuration,
    serviceName: `forgelog-${name}`,
    revision: options.revision ?? 'unknown',
    log,
  });
  const tracing = { tracer: telemetry.tracer, clock };
  const tokens = createExchangeTokens({ secretKey: configuration.SECRET_KEY, clock });
  const client = createServiceClient({ tokens });
  let stores: ProcessStores | undefined;
  let projectors: Projectors | undefined;
  let relay: FeedRelay | undefined;
  let service: Service | undefined;
  let phase: 'starting' | 'ready' | 'stopping' = 'starting';
  const probes = serveHealth({ phase: () => phase, projections: () => projectors?.status() ?? [] });
  const figures = serveMetrics({ metrics: telemetry.metrics, configuration });
  const health: Base['health'] = (request, response, path) =>
    probes(request, response, path) || figures(request, response, path);
  // A service's refusal is the gateway's to pass on: it may ask another instance, where there is one.
  const refuse = name === 'gateway' ? refuseClient : sendRefusal;
  let handle: RequestListener = (request, response) => {
    if (health(request, response, request.url!.split('?')[0]!)) return;
    refuse(response, unavailable('starting', 1));
  };
  const server = createServer(
    {
      ...HTTP,
      requestTimeout: LONGEST_REQUEST_MS,
      ...(name === 'gateway'
        ? options.messages
        : { keepAliveTimeout: KEEP_ALIVE_MS, maxHeaderSize: MAX_HEADERS, ServerResponse: ServiceResponse }),
    },
    (request, response) => handle(request, response),
  );
  refuseBroken(server);
  limitAnswers(server, { answerMs: deadlines.answerMs, log, refuse });

  let hasStarted = false;

  async function close(): Promise<void> {
    phase = 'stopping';
    service?.drain?.();
    // What requests in flight still write leaves through whoever has the feed's seat next.
    const end = (step: string, ending: () => Promise<unknown> | undefined) =>
      endWithin(step, ending, { stopMs: deadlines.stopMs, log });
    await Promise.all([drain(server), relay?.stop()]);
    const following = projectors?.stop() ?? Promise.resolve();
    // Reactions end before what they need does, unless they wait for something that would come with a start.
    if (hasStarted) await Promise.race([following, sleep(REACTIONS_MS, undefined, { ref: false })]);
    await end(name, async () => service?.stop?.());
    await end('projectors', () => following);
    client.close();
    await end('registers', () => stores?.registers?.close());
    await end('read store', () => stores?.readStore.close());
    await end('event store', () => stores?.store.close());
    await end('telemetry', () => telemetry.close?.());
  }

  // A start that waits for its read models to catch up ends with them; later, others still wait for them.
  const giveUp = () => void projectors?.stop();
  signal?.addEventListener('abort', giveUp);
  try {
    const address = await listen(server, configuration);
    stores = await onceReachable(() => options.openStores(configuration, name), { log, signal });
    const { readStore, registers } = stores;
    const store = observedEventStore(boundedEventStore(stores.store, deadlines.logMs), telemetry);
    const position = () => projectors!.position();
    const foundation = layFoundation({
      store,
      readStore,
      configuration,
      log,
      clock,
      externalUrl: configuration.EXTERNAL_URL,
      settled: (at) => projectors!.settled(at, { timeoutMs: SHOWN_WITHIN_MS }),
      peers: remotePeers({ client, configuration, position }),
      metrics: telemetry.metrics,
    });
    const { catalogue, directory, ports } = foundation;
    const planned = plan({
      ...foundation,
      store,
      tokens,
      client,
      clock,
      health,
      telemetry,
      position,
      settled: (at) => projectors!.settled(at),
      barrier: () => projectors!.barrier(),
    });
    ({ service } = planned);
    const seats = createSeats({ service: name, configuration, registers, readStore });
    projectors = createProjectors({
      store,
      readStore,
      catalogue,
      projections: tracedProjections([...directory.projections, ...planned.service.projections], tracing),
      policies: tracedPolicies(planned.service.policies, tracing),
      seats: seats.policies,
      log,
    });
    relay = await createKafkaRelay({
      configuration,
      store,
      catalogue,
      part: name,
      seats: seats.feeds,
      log,
      tracing,
      openFeed: options.openFeed,
    });
    addLagMetrics(telemetry.metrics, {
      store,
      clock,
      projections: projectors.status,
      policies: projectors.policies,
      feeds: () => [...(planned.feeds?.() ?? []), ...relayed(relay)],
    });
    const { start } = projectors;
    await onceReachable(start, { log, signal });
    await onceReachable(async () => planned.prepare?.(), { log, signal });
    signal?.throwIfAborted();
    await service.start?.();
    hasStarted = true;
    handle = planned.handler;
    signal?.removeEventListener('abort', giveUp);
    phase = 'ready';
    relay?.start();
    return { name, address, projectors, relay, ports, stop: close };
  } catch (error) {
    await close();
    throw error;
  }
}
