import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { topicOf } from '@forgelog/contracts/event.ts';
import { Kafka, logLevel } from 'kafkajs';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { CloudEvent } from '../../cloud-event.ts';
import { BEGINNING, SYSTEM_METADATA } from '../../event.ts';
import { createCatalogue } from '../../event-catalogue.ts';
import type { Feed } from '../../feed.ts';
import { createFeedRelay } from '../../feed-relay.ts';
import { localLease } from '../../lease.ts';
import { knownIdentity, readLogIdentity } from '../../log-identity.ts';
import { describeFeed } from '../../testing/feed.contract.ts';
import { testBrokers as brokers, type ConsumedMessage, consumeUntil } from '../../testing/kafka-consumer.ts';
import { addItem, basketDecider, handlerOn, ItemAdded, quiet } from '../../testing/sample-domain.ts';
import { openMemoryEventStore } from '../memory/memory-event-store.ts';
import { openMemoryReadStore } from '../memory/memory-read-store.ts';
import { openKafkaFeed } from './kafka-feed.ts';

function consume(topics: string[], count: number): Promise<ConsumedMessage[]> {
  let seen = 0;
  return consumeUntil(topics, () => ++seen >= count);
}

describe.skipIf(brokers.length === 0)('on the brokers that KAFKA_BROKERS names', () => {
  describeFeed('kafka', async () => {
    const services = [`test-${crypto.randomUUID()}`, `test-${crypto.randomUUID()}`] as [string, string];
    return {
      feed: await openKafkaFeed({ brokers, services, partitions: 3 }),
      services,
      received: async (count) =>
        (await consume(services.map(topicOf), count)).map(({ partition: _, ...message }) => message),
    };
  });

  test('a consumer that drops repeats by partition and position has the log', async () => {
    const service = `test-${crypto.randomUUID()}`;
    const own = createCatalogue([{ ...ItemAdded, service }]);
    const store = openMemoryEventStore();
    const handler = handlerOn(store);
    for (let i = 0; i < 120; i++)
      await handler.handle(basketDecider, `basket-${i % 9}`, addItem(`${i % 9}`, i), SYSTEM_METADATA);
    const kafka = await openKafkaFeed({ brokers, services: [service], partitions: 3 });
    let calls = 0;
    const unsteady: Feed = {
      ...kafka,
      async publish(events) {
        // Two of three calls publish a part and then fail.
        if (++calls % 3 !== 0) return kafka.publish(events);
        await kafka.publish(events.slice(0, 7));
        throw new Error('connection lost');
      },
    };
    const relay = createFeedRelay({
      name: 'kafka',
      store,
      identity: knownIdentity(store),
      lease: localLease('feed:kafka', openMemoryReadStore()),
      catalogue: own,
      feed: unsteady,
      log: quiet,
      services: [service],
      batchSize: 10,
      firstPauseMs: 1,
    });
    relay.start();
    expect(await relay.idle({ timeoutMs: 20_000 })).toBe(true);
    await relay.stop();
    const repeats = 7 * Math.floor(calls / 3);
    expect(repeats).toBeGreaterThan(0);
    const seen = await consume([topicOf(service)], 120 + repeats);
    const last = new Map<number, string>();
    const kept = seen.filter(({ partition, headers: { position } }) => {
      const fresh = position > (last.get(partition) ?? '');
      if (fresh) last.set(partition, position);
      return fresh;
    });
    expect(last.size).toBe(3);
    const log = await store.readAll({ after: BEGINNING, limit: 1000 });
    const identity = await readLogIdentity(store);
    expect(kept.map(({ headers }) => headers.position).sort()).toEqual(
      log.map(({ position }) => identity!.publish(position)),
    );
    for (const stream of new Set(log.map((event) => event.stream))) {
      const revisions = kept
        .filter(({ key }) => key === stream)
        .map(({ value }) => JSON.parse(value).revision);
      expect(revisions).toEqual(revisions.map((_, index) => index));
    }
  });

  test('topics are created once, with the configured partitions', async () => {
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
      dataschema: 'https://forgelog.example/api/v4/event_schemas/ThingMade/1',
      position: '1',
      epoch: '0000000',
      revision: 0,
      schemaversion: 1,
      data: {},
    };
    for (const partitions of [4, 9]) {
      const feed = await openKafkaFeed({ brokers, services: [service], partitions });
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

const event = {
  source: '/forgelog/one',
  epoch: '0000000',
  subject: 'thing-1',
  time: new Date(0).toISOString(),
} as unknown as CloudEvent;

test('an unreachable cluster fails the call, and the feed still closes', async () => {
  const feed = await openKafkaFeed({ brokers: ['127.0.0.1:1'], services: ['one'] });
  await expect(feed.publish([event])).rejects.toThrow();
  await feed.close();
});

test('a silent cluster fails the call in time, and the next call takes a connection of its own', async () => {
  const taken: Socket[] = [];
  const silent = createServer((socket) => taken.push(socket.on('error', () => {}).resume()));
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    for (const socket of taken) socket.destroy();
    silent.close();
  });
  const broker = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const feed = await openKafkaFeed({ brokers: [broker], services: ['one'], stepMs: 300 });
  for (let calls = 1; calls <= 2; calls++) {
    await expect(feed.publish([event])).rejects.toThrow(
      `Kafka at ${broker} did not answer in 300 ms: connecting`,
    );
    expect(taken).toHaveLength(calls);
  }
  await feed.close();
});
