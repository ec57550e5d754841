import { Kafka, logLevel } from 'kafkajs';
import type { FeedMessage } from '../feed.ts';

/** Brokers from KAFKA_BROKERS; suites that need them are skipped if it is not set. */
export const testBrokers = (process.env.KAFKA_BROKERS ?? '').split(',').filter((broker) => broker !== '');

export interface ConsumedMessage extends FeedMessage {
  partition: number;
}

export async function consumeUntil(
  topics: string[],
  enough: (message: ConsumedMessage) => boolean,
): Promise<ConsumedMessage[]> {
  const kafka = new Kafka({ brokers: testBrokers, logLevel: logLevel.NOTHING });
  const consumer = kafka.consumer({ groupId: crypto.randomUUID() });
  const messages: ConsumedMessage[] = [];
  const done = Promise.withResolvers<void>();
  await consumer.connect();
  try {
    await consumer.subscribe({ topics, fromBeginning: true });
    await consumer.run({
      async eachMessage({ topic, partition, message: { key, value, headers, timestamp } }) {
        const given = Object.entries(headers ?? {}).map(([name, each]) => [name, String(each)]);
        const message = {
          topic,
          partition,
          key: String(key),
          value: String(value),
          headers: Object.fromEntries(given),
          timestamp: Number(timestamp),
        };
        messages.push(message);
        if (enough(message)) done.resolve();
      },
    });
    await done.promise;
  } finally {
    await consumer.disconnect();
  }
  return messages;
}
