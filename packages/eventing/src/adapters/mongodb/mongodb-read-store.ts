import { type Db, MongoClient } from 'mongodb';
import type { ReadStore, ReadStoreCandidate } from '../../read-store.ts';
import { deadlines, statedPatience } from './deadlines.ts';
import { dropGenerations, Generation, liveGeneration, makeLive } from './generation.ts';
import { MongodbReadModels } from './read-models.ts';
import { reaching, reachingWithin } from './server-errors.ts';

const PATIENCE_MS = 5_000;
/** Nobody waits for making an index of a large collection, or for a large write, which take longer than a read. */
const LONGEST_CALL_MS = 30_000;

/**
 * The read models in one MongoDB database, which nothing else uses: the one that the address names, or `database`.
 * Writes are acknowledged by a majority of the replica set, and nothing is read that it could still take back. No
 * transactions are needed (see `write-journal.ts`), so a single server serves as well, and so does FerretDB.
 *
 * Several processes may read. One should write: two do no harm, since each change is guarded by its position, but a
 * rebuild takes the place of the live models only for the process that ran it and for those started after it.
 * @throws ReadStoreUnavailableError
 */
export async function openMongodbReadStore(options: {
  url: string;
  database?: string;
  /** How long a call looks for a server that takes it, and a read for its answer, before it fails. */
  patienceMs?: number;
}): Promise<ReadStore> {
  const lookMs = options.patienceMs ?? statedPatience(options.url) ?? PATIENCE_MS;
  const client = new MongoClient(options.url, {
    appName: 'forgelog',
    writeConcern: { w: 'majority', journal: true },
    readConcern: { level: 'majority' },
    readPreference: 'primary',
    ...deadlines(options.url, { lookMs, answerMs: LONGEST_CALL_MS }),
  });
  try {
    return await reaching(async () => {
      await client.connect();
      const db = client.db(options.database);
      const generation = await liveGeneration(db);
      await dropGenerations(db, (number) => number < generation.number);
      const models = new MongodbReadModels(generation);
      return { ...outer(models, lookMs), beside: () => candidate(db, models), close: () => client.close() };
    });
  } catch (error) {
    await client.close();
    throw error;
  }
}

/** The models as others see them: what the network does shows as the port says, and reads have a deadline. */
function outer(models: MongodbReadModels, readMs: number): Omit<ReadStore, 'beside' | 'close'> {
  return {
    declare: (...given) => reaching(() => models.declare(...given)),
    reset: (...given) => reaching(() => models.reset(...given)),
    get: (...given) => reachingWithin(readMs, () => models.get(...given)),
    entry: (...given) => reachingWithin(readMs, () => models.entry(...given)),
    getFields: (...given) => reachingWithin(readMs, () => models.getFields(...given)),
    find: (...given) => reachingWithin(readMs, () => models.find(...given)),
    count: (...given) => reachingWithin(readMs, () => models.count(...given)),
    checkpoint: (...given) => reachingWithin(readMs, () => models.checkpoint(...given)),
    write: (...given) => reaching(() => models.write(...given)),
  };
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
