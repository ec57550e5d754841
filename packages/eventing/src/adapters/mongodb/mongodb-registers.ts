import { type Collection, MongoClient, MongoServerError } from 'mongodb';
import type { Registers } from '../../registers.ts';
import { deadlines } from './deadlines.ts';
import { reaching } from './server-errors.ts';

/** One version of a register. Its id contains the version, so only one concurrent writer can insert it. */
interface StoredVersion {
  _id: string;
  register: string;
  version: number;
  value: string;
}

const PATIENCE_MS = 5_000;
const DUPLICATE_KEY = 11_000;
/** Earlier versions kept; older ones are pruned now and then. */
const KEPT = 200;
const CLEAR_EVERY = 20;

/** Compare-and-set is an insert: all servers keep ids unique, but FerretDB 1 lets two conditional updates succeed. */
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
      // Old versions are pruned. A writer that was paused long enough could insert a version that existed and was
      // pruned; treat that as a lost race.
      const now = (await latest(name))?.version ?? 0;
      if (now > version + KEPT / 2) return false;
      if (written.version % CLEAR_EVERY === 0)
        await versions.deleteMany({ register: name, version: { $lte: written.version - KEPT } });
      return true;
    },
  };
}
