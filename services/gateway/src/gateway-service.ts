import type { Tier } from '@forgelog/contracts/endpoint.ts';
import type { Resource } from '@forgelog/contracts/endpoints.ts';
import type { EventStore } from '@forgelog/eventing/event-store.ts';
import { type ExpiringStream, followedLog } from '@forgelog/eventing/expiring-stream.ts';
import type { KnownIdentity } from '@forgelog/eventing/log-identity.ts';
import type { Projection } from '@forgelog/eventing/projection.ts';
import type { Service } from '@forgelog/service-kit/service.ts';
import type { Metrics } from '@forgelog/service-kit/telemetry/metrics.ts';
import type { AccessLog } from './access-log/access-log.ts';
import { type AccessStreamPorts, accessStreamRoutes } from './access-log/access-stream.routes.ts';
import { eventContractRoutes } from './event-contract.routes.ts';
import {
  type EventStreamPorts,
  type EventStreams,
  eventStreamRoutes,
} from './event-stream/event-stream.routes.ts';
import { createFetchCounts } from './fetch-statistics/fetch-counts.ts';
import { fetchStatisticsRoutes } from './fetch-statistics/fetch-statistics.routes.ts';
import { instanceRoutes } from './instance.routes.ts';
import type { TokenUses } from './token-uses.ts';

/** The name of the event stream in the table of feeds. */
export const EVENT_STREAM = 'event_stream';

export interface GatewayServicePorts
  extends Omit<EventStreamPorts, 'dropped' | 'store'>,
    Pick<AccessStreamPorts, 'renewed'> {
  store: EventStore;
  /** undefined where the access log is off. */
  accessStream: { stream: ExpiringStream; identity: KnownIdentity } | undefined;
  identity: KnownIdentity;
  accessLog: AccessLog;
  tokenUses: TokenUses;
  metrics: Metrics;
  resources: readonly Resource[];
  revision: string;
  edition: Tier;
  projections: readonly Projection[];
}

export function createGatewayService(
  ports: GatewayServicePorts,
): Service & { eventStreams: EventStreams['positions'] } {
  const dropped = ports.metrics
    .counter({
      name: 'forgelog_event_streams_dropped_total',
      help: 'Event streams that were ended because their reader took nothing for a minute.',
    })
    .of();
  const eventStream = eventStreamRoutes({ ...ports, dropped });
  const accessStore = ports.accessStream && followedLog(ports.accessStream.stream);
  const accessStream = accessStreamRoutes({
    ...ports,
    dropped,
    store: accessStore,
    identity: ports.accessStream?.identity ?? ports.identity,
  });
  return {
    name: 'gateway',
    implementations: [
      ...instanceRoutes(ports),
      ...eventContractRoutes(ports),
      ...eventStream.routes,
      ...accessStream.routes,
      ...fetchStatisticsRoutes(accessStore && createFetchCounts(accessStore, ports.clock)),
    ],
    projections: ports.projections,
    policies: [],
    drain() {
      eventStream.drain();
      accessStream.drain();
    },
    async start() {
      ports.accessLog.start();
      ports.tokenUses.start();
    },
    async stop() {
      await ports.tokenUses.stop();
      await ports.accessLog.stop();
    },
    eventStreams: eventStream.positions,
  };
}
