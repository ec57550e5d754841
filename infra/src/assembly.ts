import { createAdmin } from '@forgelog/admin/admin.ts';
import { createCi } from '@forgelog/ci/ci.ts';
import { endpoints } from '@forgelog/contracts/endpoints.ts';
import type { Peers } from '@forgelog/directory/service-ports.ts';
import type { Position } from '@forgelog/eventing/event.ts';
import { createAuthentication } from '@forgelog/gateway/authentication.ts';
import { createGatewayService, EVENT_STREAM } from '@forgelog/gateway/gateway-service.ts';
import { layFoundation } from '@forgelog/host/foundation.ts';
import { createRepo } from '@forgelog/repo/repo.ts';
import type { Configuration } from '@forgelog/service-kit/configuration.ts';
import type { Logger } from '@forgelog/service-kit/log.ts';
import { checkImplementations, type Service } from '@forgelog/service-kit/service.ts';
import { createMetrics } from '@forgelog/service-kit/telemetry/metrics.ts';
import type { Telemetry } from '@forgelog/service-kit/telemetry/telemetry.ts';
import {
  tracedDelivery,
  tracedPolicies,
  tracedProjections,
} from '@forgelog/service-kit/telemetry/traced-followers.ts';
import { tracedGitTransport } from '@forgelog/service-kit/telemetry/traced-git-transport.ts';
import { createTracker } from '@forgelog/tracker/tracker.ts';
import type { Stores } from './embedded-stores.ts';

export interface AssemblyOptions extends Stores {
  configuration: Configuration;
  log: Logger;
  clock: () => Date;
  externalUrl: string;
  /** Short id of the program's own revision. */
  revision: string;
  /** Metrics that nobody reads and no traces, unless given. */
  telemetry?: Telemetry;
  /** Resolves when the projections applied this position. */
  settled: (position: Position) => Promise<void>;
}

/**
 * All parts of one process, put together and not yet started: nothing here reads, writes or listens.
 * @throws Error when a service does not implement what the contracts give it
 */
export function assemble(options: AssemblyOptions) {
  const { store, readStore, clock, externalUrl } = options;
  const { telemetry = { metrics: createMetrics() } } = options;
  const tracing = { tracer: telemetry.tracer, clock };
  const peers: Peers = { projectsOfGroup: (request) => repo.peer.projectsOfGroup(request) };
  const { catalogue, directory, ports } = layFoundation({ ...options, peers, metrics: telemetry.metrics });
  const authentication = createAuthentication({ readStore, directory });
  const repo = createRepo(ports);
  const gateway = createGatewayService({
    store,
    catalogue,
    endpoints,
    externalUrl,
    revision: options.revision,
    edition: options.configuration.EDITION,
    projections: [authentication.projection],
    onSent: tracedDelivery(EVENT_STREAM, tracing),
  });
  const services: Service[] = [createAdmin(ports), repo, createTracker(ports), createCi(ports), gateway];
  for (const service of services) checkImplementations(service, endpoints);
  return {
    transport: tracedGitTransport(repo.transport, telemetry.tracer),
    catalogue,
    directory,
    ports,
    authentication,
    services,
    projections: tracedProjections(
      [...directory.projections, ...services.flatMap(({ projections }) => projections)],
      tracing,
    ),
    policies: tracedPolicies(
      services.flatMap(({ policies }) => policies),
      tracing,
    ),
    /** What leaves the system now, and how far it came. */
    feeds: () => gateway.eventStreams().map((position) => ({ feed: EVENT_STREAM, position })),
  };
}
