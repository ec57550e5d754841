import { Kafka, logLevel } from 'kafkajs';
import { withDeadline } from '../deadline.ts';
import type { FeedMessage } from '../feed.ts';

/** Brokers from KAFKA_BROKERS; suites that need them are skipped if it is not set. */
export const testBrokers = (process.env.KAFKA_BROKERS ?? '').split(',').filter((broker) => broker !== '');

export interface ConsumedMessage extends FeedMessage {
  partition: number;
}

const DEADLINE_MS = 100_000;

/**
 * Reads topics from their beginning until `enough` is true of a message.
 * @throws Error on time-out, and whatever ends the client or is thrown by `enough`
 */
export async function consumeUntil(
  topics: string[],
  enough: (message: ConsumedMessage) => boolean,
  { what = 'the last message', deadlineMs = DEADLINE_MS }: { what?: string; deadlineMs?: number } = {},
): Promise<ConsumedMessage[]> {
  const kafka = new Kafka({ brokers: testBrokers, logLevel: logLevel.NOTHING });
  const consumer = kafka.consumer({ groupId: crypto.randomUUID() });
  const messages: ConsumedMessage[] = [];
  const done = Promise.withResolvers<void>();
  done.promise.catch(() => {});
  consumer.on(consumer.events.CRASH, ({ payload }) => {
    if (!payload.restart) done.reject(payload.error);
  });
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
        try {
          if (enough(message)) done.resolve();
        } catch (error) {
          // The client would hand the message over again, for ever.
          done.reject(error);
        }
      },
    });
    await withDeadline(
      done.promise,
      deadlineMs,
      () => new Error(`Not in ${topics} within ${deadlineMs} ms: ${what} (${messages.length} messages read)`),
    );
  } finally {
    await consumer.disconnect();
  }
  return messages;
}
