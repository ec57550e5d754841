import { type Db, MongoClient } from 'mongodb';
import type { ReadStore, ReadStoreCandidate } from '../../read-store.ts';
import { dropGenerations, Generation, liveGeneration, makeLive } from './generation.ts';
import { MongodbReadModels } from './read-models.ts';

const PATIENCE_MS = 5_000;

/**
 * The read models in one MongoDB database, which nothing else uses: the one that the address names, or `database`.
 * Writes are acknowledged by a majority of the replica set, and nothing is read that it could still take back. No
 * transactions are needed (see `write-journal.ts`), so a single server serves as well, and so does FerretDB.
 *
 * Several processes may read. One should write: two do no harm, since each change is guarded by its position, but a
 * rebuild takes the place of the live models only for the process that ran it and for those started after it.
 */
export async function openMongodbReadStore(options: {
  url: string;
  database?: string;
  /** How long a call looks for a server that takes it before it fails. */
  patienceMs?: number;
}): Promise<ReadStore> {
  const client = new MongoClient(options.url, {
    appName: 'forgelog',
    writeConcern: { w: 'majority', journal: true },
    readConcern: { level: 'majority' },
    readPreference: 'primary',
    serverSelectionTimeoutMS: options.patienceMs ?? PATIENCE_MS,
  });
  try {
    await client.connect();
    const db = client.db(options.database);
    const generation = await liveGeneration(db);
    await dropGenerations(db, (number) => number < generation.number);
    const models = new MongodbReadModels(generation);
    return Object.assign(models, {
      beside: () => candidate(db, models),
      close: () => client.close(),
    });
  } catch (error) {
    await client.close();
    throw error;
  }
}

async function candidate(db: Db, live: MongodbReadModels): Promise<ReadStoreCandidate> {
  const generation = new Generation(db, live.generation + 1);
  await dropGenerations(db, (number) => number > live.generation);
  return Object.assign(new MongodbReadModels(generation), {
    beside: () => Promise.reject(new Error('a candidate has none beside it')),
    async close() {},
    async discard() {
      await dropGenerations(db, (number) => number === generation.number);
    },
    async swap() {
      await makeLive(db, generation);
      live.use(generation);
      await dropGenerations(db, (number) => number < generation.number);
    },
  });
}
