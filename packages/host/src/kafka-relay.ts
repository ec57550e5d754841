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

/** The feed's name in metrics, traces, log lines and checkpoints. */
export const KAFKA = 'kafka';

/** Opens what events leave through; reaches nobody yet, so that a broker that is away hinders no start. */
export type OpenFeed = (options: {
  brokers: readonly string[];
  services: readonly string[];
}) => Promise<Feed>;

/** The client is loaded where it is used alone. */
const openKafka: OpenFeed = async (options) => {
  const { openKafkaFeed } = await import('@forgelog/eventing/adapters/kafka/kafka-feed.ts');
  return openKafkaFeed(options);
};

export interface KafkaRelayOptions {
  configuration: Pick<Configuration, 'KAFKA_BROKERS'>;
  store: EventStore;
  catalogue: EventCatalogue;
  /** The service whose events leave here; those of all services, where one process runs them all. */
  part?: string;
  /** Whose turn it is; undefined where it is never this process's. */
  leases: Leases | undefined;
  log: Log;
  tracing: FollowerTracing;
  /** Kafka's, unless a test brings another. */
  openFeed?: OpenFeed | undefined;
}

/** The relay to Kafka, not yet started; undefined where none is configured, or nothing leaves from here. */
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

/** How far it is, for the metrics; nothing until it knows. */
export function relayed(relay: FeedRelay | undefined): ReturnType<LagPorts['feeds']> {
  const { feed, position = null } = relay?.status() ?? {};
  return feed === undefined || position === null ? [] : [{ feed, position }];
}
