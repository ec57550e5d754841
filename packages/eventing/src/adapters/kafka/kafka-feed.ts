import { topicOf } from '@forgelog/contracts/event.ts';
import kafkajs, { type Producer, type TopicMessages } from 'kafkajs';
import type { CloudEvent } from '../../cloud-event.ts';
import { type Feed, toMessage } from '../../feed.ts';
import { createTopics, type NewTopics } from './topics.ts';

export interface KafkaFeedOptions extends NewTopics {
  /** `host:port` of some brokers; the others are learned from these. */
  brokers: readonly string[];
  /** The services that have a topic. */
  services: readonly string[];
}

/** What goes to one partition at once counts as one message, and brokers take a megabyte of that unless told. */
const MOST_BYTES_AT_ONCE = 900_000;

/**
 * Events as messages of Kafka topics, one topic per service, keyed by stream. The producer is idempotent and waits for
 * all replicas that are in sync: what was acknowledged is neither lost nor doubled by a retry of the client. Topics
 * that do not exist are created when the first events come; an unreachable cluster fails that call and no earlier one.
 */
export async function openKafkaFeed(options: KafkaFeedOptions): Promise<Feed> {
  const kafka = new kafkajs.Kafka({
    clientId: 'forgelog',
    brokers: [...options.brokers],
    connectionTimeout: 3_000,
    // Each begins a new connection: one that was forgotten on the way would not be missed else.
    requestTimeout: 15_000,
    // The relay repeats what fails, with pauses of its own.
    retry: { retries: 5, initialRetryTime: 100, maxRetryTime: 2_000 },
    // A dozen lines an attempt: what fails in the end is told by who called.
    logLevel: kafkajs.logLevel.NOTHING,
  });
  let connected: Promise<Producer> | null = null;
  let closed = false;

  async function connect(): Promise<Producer> {
    await createTopics(kafka, options.services.map(topicOf), options);
    // One request at a time: with several, a failed one could be overtaken.
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

  /** A producer whose send failed may have lost its place in the sequence: the next send has a new one. */
  async function renew(): Promise<void> {
    const old = connected;
    connected = null;
    await old?.then((producer) => producer.disconnect()).catch(() => {});
  }

  return {
    async publish(events) {
      if (closed) throw new Error('the feed is closed');
      if (events.length === 0) return;
      try {
        connected ??= connect();
        const producer = await connected;
        for (const topicMessages of requests(events)) await producer.sendBatch({ topicMessages, acks: -1 });
      } catch (error) {
        await renew();
        throw error;
      }
    },
    async close() {
      closed = true;
      await renew();
    },
  };
}

/** The messages by topic, in as many requests as their size asks for. */
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
