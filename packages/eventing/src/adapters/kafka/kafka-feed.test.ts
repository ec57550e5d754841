import { Kafka, logLevel } from 'kafkajs';
import { describe, expect, test } from 'vitest';
import { type FeedMessage, topicOf } from '../../feed.ts';
import { describeFeed } from '../../testing/feed.contract.ts';
import { quiet } from '../../testing/sample-domain.ts';
import { openKafkaFeed } from './kafka-feed.ts';

const brokers = (process.env.KAFKA_BROKERS ?? '').split(',').filter((broker) => broker !== '');

/** The first `count` messages of these topics, as any consumer sees them. */
async function consume(topics: string[], count: number): Promise<FeedMessage[]> {
  const kafka = new Kafka({ brokers, logLevel: logLevel.NOTHING });
  const consumer = kafka.consumer({ groupId: crypto.randomUUID() });
  const messages: FeedMessage[] = [];
  const enough = Promise.withResolvers<void>();
  await consumer.connect();
  await consumer.subscribe({ topics, fromBeginning: true });
  await consumer.run({
    async eachMessage({ topic, message }) {
      const { key, value, headers, timestamp } = message;
      const given = Object.entries(headers ?? {}).map(([name, each]) => [name, String(each)]);
      messages.push({
        topic,
        key: String(key),
        value: String(value),
        headers: Object.fromEntries(given),
        timestamp: Number(timestamp),
      });
      if (messages.length >= count) enough.resolve();
    },
  });
  await enough.promise;
  await consumer.disconnect();
  return messages;
}

describe.skipIf(brokers.length === 0)('on the brokers that KAFKA_BROKERS names', () => {
  describeFeed('kafka', async () => {
    const services = [`test-${crypto.randomUUID()}`, `test-${crypto.randomUUID()}`] as [string, string];
    return {
      feed: await openKafkaFeed({ brokers, services, log: quiet, partitions: 3 }),
      services,
      received: (count) => consume(services.map(topicOf), count),
    };
  });

  test('topics are created once, with the partitions asked for', async () => {
    const service = `test-${crypto.randomUUID()}`;
    const kafka = new Kafka({ brokers, logLevel: logLevel.NOTHING });
    const event = {
      specversion: '1.0' as const,
      id: crypto.randomUUID(),
      source: `/forgelog/${service}`,
      type: 'SomethingHappened',
      subject: 'thing-1',
      time: new Date(0).toISOString(),
      datacontenttype: 'application/json' as const,
      position: '1',
      revision: 0,
      schemaversion: 1,
      data: {},
    };
    for (const partitions of [4, 9]) {
      const feed = await openKafkaFeed({ brokers, services: [service], log: quiet, partitions });
      await feed.publish([event]);
      await feed.close();
    }
    const admin = kafka.admin();
    await admin.connect();
    const { topics } = await admin.fetchTopicMetadata({ topics: [topicOf(service)] });
    await admin.disconnect();
    expect(topics[0]?.partitions).toHaveLength(4);
    expect(await consume([topicOf(service)], 2)).toHaveLength(2);
  });
});

test('a cluster that cannot be reached fails the call, and the feed still closes', async () => {
  const feed = await openKafkaFeed({ brokers: ['127.0.0.1:1'], services: ['one'], log: quiet });
  const event = { source: '/forgelog/one', subject: 'thing-1', time: new Date(0).toISOString() };
  await expect(feed.publish([event as never])).rejects.toThrow();
  await feed.close();
});
