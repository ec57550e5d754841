import { type Db, MongoClient } from 'mongodb';
import type { ReadStore, ReadStoreCandidate } from '../../read-store.ts';
import { deadlines, statedPatience } from './deadlines.ts';
import { dropGenerations, Generation, liveGeneration, makeLive } from './generation.ts';
import { MongodbReadModels } from './read-models.ts';
import { reaching, reachingWithin } from './server-errors.ts';

const PATIENCE_MS = 5_000;
/** Milliseconds. Building an index on a large collection, or a large write, takes longer than a read. */
const LONGEST_CALL_MS = 30_000;

/**
 * Needs a database of its own: the one in the URL, or `database`. Writes use the majority write concern and reads the
 * majority read concern, so nothing that is read is rolled back. Transactions are not needed (see `write-journal.ts`),
 * so a single server works, and so does FerretDB.
 *
 * One process should write. Two do no harm, since each change is guarded by its position. But a rebuild swaps the live
 * models only for the process that ran it, and for those that start later.
 * @throws ReadStoreUnavailableError
 */
export async function openMongodbReadStore(options: {
  url: string;
  database?: string;
  /** Milliseconds before server selection, or a read, times out. */
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
    beside: () => Promise.reject(new Error('a rebuild cannot start from a candidate')),
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
