import { join } from 'node:path';
import type { AnyEndpoint } from '@forgelog/contracts/endpoint.ts';
import { endpoints } from '@forgelog/contracts/endpoints.ts';
import { operations as contracts } from '@forgelog/contracts/operations.ts';
import { createAuthorizer } from '@forgelog/directory/authorizer.ts';
import type { Directory } from '@forgelog/directory/directory.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { Position } from '@forgelog/eventing/event.ts';
import type { EventStore } from '@forgelog/eventing/event-store.ts';
import type { ExpiringStream } from '@forgelog/eventing/expiring-stream.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import type { Registers } from '@forgelog/eventing/registers.ts';
import type { Authorizer } from '@forgelog/service-kit/access.ts';
import { createRequestBodies } from '@forgelog/service-kit/bodies/request-bodies.ts';
import type { Configuration } from '@forgelog/service-kit/configuration.ts';
import { createCursors } from '@forgelog/service-kit/cursor.ts';
import { createDispatcher } from '@forgelog/service-kit/dispatcher.ts';
import { logFailure } from '@forgelog/service-kit/failure-log.ts';
import type { GitTransport } from '@forgelog/service-kit/git-transport.ts';
import { lazyInstanceKey } from '@forgelog/service-kit/instance-key.ts';
import type { Logger } from '@forgelog/service-kit/log.ts';
import { localOperations, type Operations } from '@forgelog/service-kit/operations.ts';
import { createPlaceholderResolver } from '@forgelog/service-kit/placeholders.ts';
import { checkImplementations, type Service } from '@forgelog/service-kit/service.ts';
import { addBodyMetrics } from '@forgelog/service-kit/telemetry/body-metrics.ts';
import type { Telemetry } from '@forgelog/service-kit/telemetry/telemetry.ts';
import { tracedPolicies, tracedProjections } from '@forgelog/service-kit/telemetry/traced-followers.ts';
import { tracedGitTransport } from '@forgelog/service-kit/telemetry/traced-git-transport.ts';
import { createCoreServices } from './core-services.ts';
import type { Edge, EdgePorts } from './edge.ts';

export interface HostStores {
  store: EventStore;
  readStore: ReadStore;
  /** The stream of the access log; undefined where it is off, or in hosts without a gateway. */
  accessLog?: ExpiringStream | undefined;
  /** Shared by the replicas of all services; without it each replica runs its policies itself. */
  registers?: Registers | undefined;
}

export type HostedService = Service & { transport?: GitTransport };

export interface ServiceDefinition<C extends Configuration = Configuration> {
  name: Exclude<Service['name'], 'gateway'>;
  create(ports: ServicePorts, configuration: C): HostedService;
  /** Creates what the first request needs; only the first replica calls it. */
  prepare?(ports: ServicePorts): Promise<{ madeToken: string | null }>;
}

export interface Composition<C extends Configuration = Configuration> {
  services: readonly ServiceDefinition<C>[];
  edge: Edge;
  /** Calls to services in other hosts; by default services call each other in this process. */
  operations?: (position: () => Position, projects: Pick<Directory, 'project'>) => Operations;
  restrict?: (rights: Authorizer) => Authorizer;
}

export interface HostPartsOptions<C extends Configuration>
  extends Composition<C>,
    Omit<EdgePorts, 'catalogue' | 'directory' | 'ports' | 'authorizer' | 'caughtUp'>,
    HostStores {
  configuration: C;
  /** Resolves when the read models reflect a position; waits longer with `afterAppend`. */
  caughtUp: (position: Position, options?: { afterAppend: boolean }) => Promise<void>;
  telemetry: Telemetry;
  log: Logger;
  /** Sees each answer; tests compare it with the contract. */
  observe?: ((endpoint: AnyEndpoint, status: number, body: string | null) => void) | undefined;
}

export type HostParts = ReturnType<typeof createHostParts>;

/** Reads, writes and starts nothing. @throws Error when a service does not implement its contracts */
export function createHostParts<C extends Configuration>(options: HostPartsOptions<C>) {
  const { clock, configuration, externalUrl, log, telemetry, caughtUp } = options;
  const operations =
    options.operations?.(options.position, { project: (id) => core.directory.project(id) }) ??
    localOperations((name) => services.find((service) => service.name === name)?.operations);
  const core = createCoreServices({
    ...options,
    caughtUp: (position) => caughtUp(position, { afterAppend: true }),
    operations,
    metrics: telemetry.metrics,
  });
  const { directory, ports } = core;
  const hosted = options.services.map((definition) => definition.create(ports, configuration));
  const rights = createAuthorizer(directory);
  const authorizer = options.restrict?.(rights) ?? rights;
  const edge = options.edge.create({ ...options, ...core, authorizer });
  const services: readonly Service[] = [...hosted, ...edge.services];
  for (const service of services) checkImplementations(service, endpoints, contracts);
  const tracing = { tracer: telemetry.tracer, clock };
  const transport = hosted.find((service) => service.transport)?.transport;

  const bodies = createRequestBodies({ folder: join(configuration.DATA_DIR, 'bodies') });
  addBodyMetrics(telemetry.metrics, bodies);

  /** Called once the host is ready; requests are refused until then. */
  function handler() {
    const dispatch = createDispatcher({
      cursors: createCursors(lazyInstanceKey(configuration)),
      bodies,
      services,
      authorizer,
      resolver: createPlaceholderResolver([
        ...directory.placeholders,
        ...services.flatMap(({ placeholders }) => placeholders ?? []),
      ]),
      externalUrl,
      clock,
      onError: logFailure(log),
      observe: options.observe,
      tracer: telemetry.tracer,
    });
    return edge.handler({
      dispatch,
      transport: transport && tracedGitTransport(transport, telemetry.tracer),
      operations: hosted.flatMap((service) => service.operations ?? []),
    });
  }

  return {
    ...core,
    services,
    projections: tracedProjections(
      [...directory.projections, ...services.flatMap(({ projections }) => projections)],
      tracing,
    ),
    policies: tracedPolicies(
      services.flatMap(({ policies }) => policies),
      tracing,
    ),
    feeds: edge.feeds,
    handler,
  };
}
