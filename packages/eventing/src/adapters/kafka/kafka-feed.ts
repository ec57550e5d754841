import { topicOf } from '@forgelog/contracts/event.ts';
import kafkajs, { type Producer, type TopicMessages } from 'kafkajs';
import type { CloudEvent } from '../../cloud-event.ts';
import { withDeadline } from '../../deadline.ts';
import { type Feed, toMessage } from '../../feed.ts';
import { createTopics, type NewTopics } from './topics.ts';

export interface KafkaFeedOptions extends NewTopics {
  /** `host:port` of some brokers; the client discovers the others. */
  brokers: readonly string[];
  services: readonly string[];
  /** Milliseconds to connect, and for each request. The client's own retries nest, and would take many minutes. */
  stepMs?: number;
}

const STEP_MS = 60_000;

/** Brokers take one megabyte per partition and request by default; this stays below it. */
const MOST_BYTES_AT_ONCE = 900_000;

/**
 * The producer is idempotent and waits for all in-sync replicas, so acknowledged messages are neither lost nor
 * repeated. Missing topics are created on the first publish; an unreachable cluster fails that call.
 */
export async function openKafkaFeed(options: KafkaFeedOptions): Promise<Feed> {
  const { brokers, stepMs = STEP_MS } = options;
  const kafka = new kafkajs.Kafka({
    clientId: 'forgelog',
    brokers: [...brokers],
    connectionTimeout: 3_000,
    // A timed-out request gets a new connection; otherwise a request lost on the way would never be noticed.
    requestTimeout: 15_000,
    // The relay retries with its own pauses.
    retry: { retries: 5, initialRetryTime: 100, maxRetryTime: 2_000 },
    // The client logs a dozen lines per attempt; the caller logs the final failure.
    logLevel: kafkajs.logLevel.NOTHING,
  });
  let connected: Promise<Producer> | null = null;
  let closed = false;

  async function connect(): Promise<Producer> {
    await createTopics(kafka, options.services.map(topicOf), options);
    // A single request in flight keeps the order: with several, a failed one could be overtaken.
    const producer = kafka.producer({
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      createPartitioner: kafkajs.Partitioners.DefaultPartitioner,
    });
    try {
      await producer.connect();
    } catch (error) {
      await producer.disconnect();
      throw error;
    }
    return producer;
  }

  const inTime = <T>(step: string, work: Promise<T>) =>
    withDeadline(
      work,
      stepMs,
      () => new Error(`Kafka at ${brokers} did not answer in ${stepMs} ms: ${step}`),
    );

  async function disconnect(last: Promise<Producer> | null): Promise<void> {
    if (connected === last) connected = null;
    await last?.then((producer) => producer.disconnect()).catch(() => {});
  }

  return {
    async publish(events) {
      if (closed) throw new Error('the feed is closed');
      if (events.length === 0) return;
      connected ??= connect();
      const connection = connected;
      try {
        const producer = await inTime('connecting', connection);
        for (const topicMessages of requests(events))
          await inTime('sending events', producer.sendBatch({ topicMessages, acks: -1 }));
      } catch (error) {
        // Sequence numbers may be wrong now: the next call uses a new producer, and must not wait for this one's end.
        void disconnect(connection);
        throw error;
      }
    },
    async close() {
      closed = true;
      await disconnect(connected);
    },
  };
}

function* requests(events: readonly CloudEvent[]): Generator<TopicMessages[]> {
  let topics = new Map<string, TopicMessages>();
  let size = 0;
  for (const event of events) {
    const { topic, timestamp, ...message } = toMessage(event);
    const bytes = Buffer.byteLength(message.value);
    if (size > 0 && size + bytes > MOST_BYTES_AT_ONCE) {
      yield [...topics.values()];
      topics = new Map();
      size = 0;
    }
    size += bytes;
    const held = topics.get(topic) ?? { topic, messages: [] };
    held.messages.push({ ...message, timestamp: String(timestamp) });
    topics.set(topic, held);
  }
  yield [...topics.values()];
}
