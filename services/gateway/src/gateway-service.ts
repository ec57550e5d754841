import type { Tier } from '@forgelog/contracts/endpoint.ts';
import type { Resource } from '@forgelog/contracts/endpoints.ts';
import type { Projection } from '@forgelog/eventing/projection.ts';
import type { Service } from '@forgelog/service-kit/service.ts';
import { eventContractRoutes } from './event-contract.routes.ts';
import {
  type EventStreamPorts,
  type EventStreams,
  eventStreamRoutes,
} from './event-stream/event-stream.routes.ts';
import { instanceRoutes } from './instance.routes.ts';

/** The name of the event stream in the table of feeds. */
export const EVENT_STREAM = 'event_stream';

export function createGatewayService(
  ports: EventStreamPorts & {
    resources: readonly Resource[];
    externalUrl: string;
    revision: string;
    edition: Tier;
    projections: readonly Projection[];
  },
): Service & { eventStreams: EventStreams['positions'] } {
  const eventStream = eventStreamRoutes(ports);
  return {
    name: 'gateway',
    implementations: [...instanceRoutes(ports), ...eventContractRoutes(ports), ...eventStream.routes],
    projections: ports.projections,
    policies: [],
    drain: eventStream.drain,
    eventStreams: eventStream.positions,
  };
}
