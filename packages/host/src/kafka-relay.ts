import { feedServices } from '@forgelog/contracts/asyncapi/asyncapi.ts';
import { ACCESS_LOG } from '@forgelog/contracts/event.ts';
import type { EventCatalogue } from '@forgelog/eventing/event-catalogue.ts';
import type { EventStore } from '@forgelog/eventing/event-store.ts';
import { type ExpiringStream, type FollowedLog, followedLog } from '@forgelog/eventing/expiring-stream.ts';
import type { Feed } from '@forgelog/eventing/feed.ts';
import {
  createFeedRelay,
  type FeedRelay,
  type FeedRelayOptions,
  feedCheckpoint,
} from '@forgelog/eventing/feed-relay.ts';
import type { Leases } from '@forgelog/eventing/lease.ts';
import { knownIdentity } from '@forgelog/eventing/log-identity.ts';
import type { Log } from '@forgelog/eventing/log-sink.ts';
import { identityBeside } from '@forgelog/eventing/stream-identity.ts';
import type { Configuration } from '@forgelog/service-kit/configuration.ts';
import type { LagPorts } from '@forgelog/service-kit/telemetry/lag-metrics.ts';
import { type FollowerTracing, tracedFeed } from '@forgelog/service-kit/telemetry/traced-followers.ts';

export const KAFKA = 'kafka';
export const KAFKA_ACCESS = 'kafka-access';

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

export interface KafkaRelays {
  log: FeedRelay | undefined;
  /** Publishes the access log, in a host with a gateway. */
  access: FeedRelay | undefined;
  accessLog: FollowedLog | undefined;
}

export interface KafkaRelayOptions {
  configuration: Pick<Configuration, 'KAFKA_BROKERS'>;
  store: EventStore;
  accessLog?: ExpiringStream | undefined;
  clock: () => Date;
  catalogue: EventCatalogue;
  /** The service whose events leave here; by default all services. */
  part?: string | undefined;
  leases: Leases | undefined;
  log: Log;
  tracing: FollowerTracing;
  openFeed?: OpenFeed | undefined;
}

/** Starts nothing; none where no Kafka is configured or this process publishes nothing. */
export async function createKafkaRelays(options: KafkaRelayOptions): Promise<KafkaRelays> {
  const { configuration, store, accessLog, catalogue, part, leases, log, tracing } = options;
  const { openFeed = openKafka } = options;
  const brokers = configuration.KAFKA_BROKERS;
  const all = feedServices(catalogue.definitions);
  const ofLog = all.filter((name) => name !== ACCESS_LOG && (part === undefined || name === part));
  const identity = knownIdentity(store);

  async function relay(name: string, services: readonly string[], source: RelayedSource) {
    if (brokers === undefined || leases === undefined || services.length === 0) return undefined;
    const feed = tracedFeed(name, await openFeed({ brokers, services }), tracing);
    const lease = leases(feedCheckpoint(name, source.part));
    return createFeedRelay({ name, ...source, lease, catalogue, feed, log, services });
  }

  const followed = accessLog && followedLog(accessLog);
  return {
    log: await relay(KAFKA, ofLog, { store, identity, part }),
    access:
      accessLog &&
      followed &&
      (await relay(KAFKA_ACCESS, [ACCESS_LOG], {
        store: followed,
        identity: identityBeside(identity, accessLog, options.clock),
      })),
    accessLog: followed,
  };
}

interface RelayedSource extends Pick<FeedRelayOptions, 'store' | 'identity'> {
  part?: string | undefined;
}

/** Empty until the position is known. @param log of which it is one; by default the log itself */
export function relayed(relay: FeedRelay | undefined, log?: FollowedLog): ReturnType<LagPorts['feeds']> {
  const { feed, position = null } = relay?.status() ?? {};
  return feed === undefined || position === null ? [] : [{ feed, position, log }];
}
