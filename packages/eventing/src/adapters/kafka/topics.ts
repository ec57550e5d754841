import { setTimeout as sleep } from 'node:timers/promises';
import kafkajs, { type Admin, type Kafka } from 'kafkajs';

/** How topics that do not exist yet are created. */
export interface NewTopics {
  /** More can be added later, but then streams move between partitions. */
  partitions?: number;
  /** On how many brokers each lies. The cluster's own default unless told. */
  replicas?: number;
}

const PARTITIONS = 6;
/** As the cluster is set up. */
const BY_DEFAULT = -1;
/** Kept for ever, since who starts late wants the first event too; and room for an event that alone is large. */
const SETTINGS = [
  { name: 'cleanup.policy', value: 'delete' },
  { name: 'retention.ms', value: '-1' },
  { name: 'retention.bytes', value: '-1' },
  { name: 'max.message.bytes', value: String(10 * 1024 * 1024) },
];

/** Creates those of the topics that do not exist, and resolves when all of them take messages. */
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
      // The client's own wait gives up when a broker has not heard of the topic yet.
      waitForLeaders: false,
    });
    await untilLed(admin, missing);
  } finally {
    await admin.disconnect();
  }
}

const PATIENCE_MS = 10_000;
const PAUSE_MS = 50;

/** A new topic is known to its brokers a moment later, and led a moment after that. */
async function untilLed(admin: Admin, topics: string[]): Promise<void> {
  for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(PAUSE_MS)) {
    try {
      const metadata = await admin.fetchTopicMetadata({ topics });
      if (metadata.topics.every(({ partitions }) => partitions.every(({ leader }) => leader >= 0))) return;
      if (Date.now() > deadline) throw new Error(`topics without a leader among ${topics.join(', ')}`);
    } catch (error) {
      if (!(error instanceof kafkajs.KafkaJSProtocolError && error.retriable) || Date.now() > deadline)
        throw error;
    }
  }
}
