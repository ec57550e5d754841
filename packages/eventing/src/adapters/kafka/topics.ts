import { setTimeout as sleep } from 'node:timers/promises';
import kafkajs, { type Admin, type Kafka } from 'kafkajs';

export interface NewTopics {
  /** Adding partitions later moves streams between partitions. */
  partitions?: number;
  replicas?: number;
}

const PARTITIONS = 6;
const BY_DEFAULT = -1;
/** Retain everything, since a late consumer needs the first event too. Allow a single large event. */
const SETTINGS = [
  { name: 'cleanup.policy', value: 'delete' },
  { name: 'retention.ms', value: '-1' },
  { name: 'retention.bytes', value: '-1' },
  { name: 'max.message.bytes', value: String(10 * 1024 * 1024) },
];

export async function createTopics(kafka: Kafka, topics: readonly string[], each: NewTopics): Promise<void> {
  const admin = kafka.admin();
  try {
    await admin.connect();
    const existing = new Set(await admin.listTopics());
    const missing = topics.filter((topic) => !existing.has(topic));
    if (missing.length === 0) return;
    await admin.createTopics({
      topics: missing.map((topic) => ({
        topic,
        numPartitions: each.partitions ?? PARTITIONS,
        replicationFactor: each.replicas ?? BY_DEFAULT,
        configEntries: SETTINGS,
      })),
      // The client's own wait fails when a broker does not know the topic yet.
      waitForLeaders: false,
    });
    await untilLed(admin, missing);
  } finally {
    await admin.disconnect();
  }
}

const PATIENCE_MS = 10_000;
const PAUSE_MS = 50;

/** Brokers learn of a new topic with a delay, and elect its leaders later still. */
async function untilLed(admin: Admin, topics: string[]): Promise<void> {
  for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(PAUSE_MS)) {
    try {
      const metadata = await admin.fetchTopicMetadata({ topics });
      if (metadata.topics.every(({ partitions }) => partitions.every(({ leader }) => leader >= 0))) return;
      if (Date.now() > deadline)
        throw new Error(`no leader in time for some of the topics ${topics.join(', ')}`);
    } catch (error) {
      if (!(error instanceof kafkajs.KafkaJSProtocolError && error.retriable) || Date.now() > deadline)
        throw error;
    }
  }
}
