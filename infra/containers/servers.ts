import { KafkaContainer } from '@testcontainers/kafka';
import { MongoDBContainer } from '@testcontainers/mongodb';
import { GenericContainer, getContainerRuntimeClient, Wait } from 'testcontainers';

const IMAGES = {
  eventStore: 'eventstore/eventstore:23.10.1-bookworm-slim',
  mongodb: 'mongo:8.0.4',
  kafka: 'confluentinc/cp-kafka:7.9.0',
};
/** Milliseconds; enough to pull an image. */
const START_MS = 300_000;

export interface Servers {
  settings: Record<'EVENTSTORE_URL' | 'MONGODB_URL' | 'KAFKA_BROKERS', string>;
  stop(): Promise<void>;
}

/** Why containers cannot be started here; undefined if they can. */
export const missingEngine = (): Promise<string | undefined> =>
  getContainerRuntimeClient().then(
    () => undefined,
    (error: Error) => error.message,
  );

/** Starts empty EventStoreDB, MongoDB (a replica set) and Kafka. Stops all of them if one fails. */
export async function startServers(): Promise<Servers> {
  const starting = [startEventStore(), startMongoDb(), startKafka()] as const;
  const stop = async () => {
    for (const started of await Promise.allSettled(starting))
      if (started.status === 'fulfilled') await started.value.container.stop();
  };
  try {
    const [eventStore, mongodb, kafka] = await Promise.all(starting);
    return {
      settings: { EVENTSTORE_URL: eventStore.url, MONGODB_URL: mongodb.url, KAFKA_BROKERS: kafka.url },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startEventStore() {
  const port = 2113;
  const container = await new GenericContainer(IMAGES.eventStore)
    .withEnvironment({
      EVENTSTORE_INSECURE: 'true',
      EVENTSTORE_MEM_DB: 'true',
      EVENTSTORE_RUN_PROJECTIONS: 'None',
      EVENTSTORE_MAX_APPEND_SIZE: '8388608',
    })
    .withExposedPorts(port)
    .withWaitStrategy(
      Wait.forHttp('/health/live', port).forStatusCodeMatching((status) => status >= 200 && status < 300),
    )
    .withStartupTimeout(START_MS)
    .start();
  return { container, url: `esdb://${container.getHost()}:${container.getMappedPort(port)}?tls=false` };
}

async function startMongoDb() {
  const container = await new MongoDBContainer(IMAGES.mongodb).withStartupTimeout(START_MS).start();
  // The set knows its member by a name of the container network.
  return { container, url: `${container.getConnectionString()}/forgelog?directConnection=true` };
}

async function startKafka() {
  const container = await new KafkaContainer(IMAGES.kafka).withKraft().withStartupTimeout(START_MS).start();
  return { container, url: `${container.getHost()}:${container.getMappedPort(9093)}` };
}
