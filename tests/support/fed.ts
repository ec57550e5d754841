import { ACCESS_LOG } from '@forgelog/contracts/event.ts';
import { openMemoryFeed } from '@forgelog/eventing/adapters/memory/memory-feed.ts';
import type { Feed, FeedMessage } from '@forgelog/eventing/feed.ts';
import type { FeedRelay } from '@forgelog/eventing/feed-relay.ts';
import type { OpenFeed } from '@forgelog/host/kafka-relay.ts';
import { onTestFinished } from 'vitest';
import { type ClusterOptions, startCluster } from './cluster.ts';
import { eventually } from './eventually.ts';

/** Gives the log this feed, and the access log one of its own. */
export const feedOfLog =
  (feed: Feed): OpenFeed =>
  async ({ services }) =>
    services.includes(ACCESS_LOG) ? openMemoryFeed() : feed;

/** Resolves when all that is in the log has left through a relay. @throws Error that says where the relay stands */
export async function fed(relay: FeedRelay): Promise<void> {
  await eventually('all that is in the log has left', () => relay.idle({ timeoutMs: 1_000 }), {
    detail: () => {
      const { position, failing } = relay.status();
      return `The relay is at ${position}${failing ? `, and fails: ${failing.error}` : ''}.`;
    },
  });
}

/** A cluster whose processes feed lists, until the running test ends. */
export async function fedCluster(options: ClusterOptions = {}) {
  const feeds = new Map<string, readonly FeedMessage[]>();
  const cluster = await startCluster({
    ...options,
    environment: { KAFKA_BROKERS: 'nobody-asks:9092' },
    feedOf: (process) => async () => {
      const feed = openMemoryFeed();
      feeds.set(process, feed.messages);
      return feed;
    },
  });
  onTestFinished(() => cluster.stop());
  return { cluster, feeds };
}
