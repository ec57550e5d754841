import { type Collection, MongoClient, MongoServerError } from 'mongodb';
import type { Registers } from '../../registers.ts';
import { deadlines } from './deadlines.ts';
import { reaching } from './server-errors.ts';

/** One version of a register. Its id names both, so of writers at once one alone can insert it. */
interface StoredVersion {
  _id: string;
  register: string;
  version: number;
  value: string;
}

const PATIENCE_MS = 5_000;
const DUPLICATE_KEY = 11_000;
/** So many earlier versions stay, cleared now and then. */
const KEPT = 1_000;
const CLEAR_EVERY = 100;

/**
 * Registers in one collection of a MongoDB database. Compare and set is an insert, not an update: that an id exists
 * once is what every server guarantees, while FerretDB 1 lets two conditional updates of one document both succeed.
 */
export async function openMongodbRegisters(options: { url: string; database?: string }): Promise<Registers> {
  const client = new MongoClient(options.url, {
    appName: 'forgelog',
    writeConcern: { w: 'majority', journal: true },
    readConcern: { level: 'majority' },
    readPreference: 'primary',
    ...deadlines(options.url, { lookMs: PATIENCE_MS, answerMs: PATIENCE_MS }),
  });
  try {
    return await reaching(async () => {
      await client.connect();
      const versions = client.db(options.database).collection<StoredVersion>('_registers');
      await versions.createIndex({ register: 1, version: -1 });
      return { ...registersIn(versions), close: () => client.close() };
    });
  } catch (error) {
    await client.close();
    throw error;
  }
}

function registersIn(versions: Collection<StoredVersion>): Omit<Registers, 'close'> {
  const latest = (register: string) => versions.findOne({ register }, { sort: { version: -1 } });
  return {
    async read(name) {
      const found = await latest(name);
      return found ? { version: found.version, value: found.value } : undefined;
    },
    async write(name, version, value) {
      const before = await latest(name);
      if ((before?.version ?? 0) !== version) return false;
      const written = { _id: `${name}:${version + 1}`, register: name, version: version + 1, value };
      try {
        await versions.insertOne(written);
      } catch (error) {
        if (error instanceof MongoServerError && error.code === DUPLICATE_KEY) return false;
        throw error;
      }
      // Who was paused for so long that the version he inserts was there and is cleared has not won it.
      const now = (await latest(name))?.version ?? 0;
      if (now > version + KEPT / 2) return false;
      if (written.version % CLEAR_EVERY === 0)
        await versions.deleteMany({ register: name, version: { $lte: written.version - KEPT } });
      return true;
    },
  };
}
