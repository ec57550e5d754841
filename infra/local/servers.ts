import { startEventstore } from './eventstore.ts';
import { startFerretdb } from './ferretdb.ts';
import { startKafka } from './kafka.ts';
import { MINIO_USER, startMinio } from './minio.ts';
import { stopServer } from './server-process.ts';

const NAMES = ['ferretdb', 'kafka', 'minio', 'eventstore'] as const;

export type Settings = Record<
  | 'EVENTSTORE_URL'
  | 'MONGODB_URL'
  | 'KAFKA_BROKERS'
  | 'KAFKA_PROXIED_BROKERS'
  | 'KAFKA_BEHIND_PROXY'
  | 'S3_ENDPOINT'
  | 'S3_ACCESS_KEY_ID'
  | 'S3_SECRET_ACCESS_KEY',
  string
>;

/** Starts the servers of this home that do not run yet. Returns the settings for them. */
export async function up(home: string, signal?: AbortSignal): Promise<Settings> {
  const starts = [
    startEventstore(home),
    startFerretdb(home, signal),
    startKafka(home, signal),
    startMinio(home, signal),
  ] as const;
  // Wait for all of them even if one fails: only then can the caller stop every server.
  await Promise.allSettled(starts);
  const [eventstore, ferretdb, kafka, minio] = await Promise.all(starts);
  return {
    EVENTSTORE_URL: `esdb://127.0.0.1:${eventstore.port}?tls=false`,
    MONGODB_URL: `mongodb://127.0.0.1:${ferretdb.port}/forgelog`,
    KAFKA_BROKERS: `127.0.0.1:${kafka.port}`,
    // A test proxy listens at the first and forwards to the second, so it sits between the broker and its clients.
    KAFKA_PROXIED_BROKERS: `127.0.0.1:${kafka.proxied.told}`,
    KAFKA_BEHIND_PROXY: `127.0.0.1:${kafka.proxied.behind}`,
    S3_ENDPOINT: `http://127.0.0.1:${minio.port}`,
    S3_ACCESS_KEY_ID: MINIO_USER.name,
    S3_SECRET_ACCESS_KEY: MINIO_USER.password,
  };
}

/** Stops the servers that `up` started in this home. Returns their names; the data stays. */
export async function down(home: string): Promise<string[]> {
  const ended = await Promise.all(NAMES.map((name) => stopServer(home, name)));
  return NAMES.filter((_, at) => ended[at]);
}
