import { feedServices } from '@forgelog/contracts/asyncapi/asyncapi.ts';
import type { EventCatalogue } from '@forgelog/eventing/event-catalogue.ts';
import type { EventStore } from '@forgelog/eventing/event-store.ts';
import type { Feed } from '@forgelog/eventing/feed.ts';
import { createFeedRelay, type FeedRelay, feedCheckpoint } from '@forgelog/eventing/feed-relay.ts';
import type { Leases } from '@forgelog/eventing/lease.ts';
import type { Log } from '@forgelog/eventing/log-sink.ts';
import type { Configuration } from '@forgelog/service-kit/configuration.ts';
import type { LagPorts } from '@forgelog/service-kit/telemetry/lag-metrics.ts';
import { type FollowerTracing, tracedFeed } from '@forgelog/service-kit/telemetry/traced-followers.ts';

export const KAFKA = 'kafka';

/** Opens a feed without connecting, so that a start does not depend on the broker. */
export type OpenFeed = (options: {
  brokers: readonly string[];
  services: readonly string[];
}) => Promise<Feed>;

/** Load the client only where it is used. */
const openKafka: OpenFeed = async (options) => {
  const { openKafkaFeed } = await import('@forgelog/eventing/adapters/kafka/kafka-feed.ts');
  return openKafkaFeed(options);
};

export interface KafkaRelayOptions {
  configuration: Pick<Configuration, 'KAFKA_BROKERS'>;
  store: EventStore;
  catalogue: EventCatalogue;
  /** The service whose events leave here; by default all services. */
  part?: string;
  leases: Leases | undefined;
  log: Log;
  tracing: FollowerTracing;
  openFeed?: OpenFeed | undefined;
}

/** Starts nothing; undefined where no Kafka is configured or this process publishes nothing. */
export async function createKafkaRelay(options: KafkaRelayOptions): Promise<FeedRelay | undefined> {
  const { configuration, store, catalogue, part, leases, log, tracing, openFeed = openKafka } = options;
  const brokers = configuration.KAFKA_BROKERS;
  const services = feedServices(catalogue.definitions).filter((name) => part === undefined || name === part);
  if (brokers === undefined || leases === undefined || services.length === 0) return undefined;
  return createFeedRelay({
    name: KAFKA,
    store,
    lease: leases(feedCheckpoint(KAFKA, part)),
    catalogue,
    feed: tracedFeed(KAFKA, await openFeed({ brokers, services }), tracing),
    log,
    services,
  });
}

/** Empty until the position is known. */
export function relayed(relay: FeedRelay | undefined): ReturnType<LagPorts['feeds']> {
  const { feed, position = null } = relay?.status() ?? {};
  return feed === undefined || position === null ? [] : [{ feed, position }];
}
