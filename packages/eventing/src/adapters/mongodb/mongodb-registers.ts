import { MongoClient, MongoServerError } from 'mongodb';
import type { Registers } from '../../registers.ts';

interface StoredRegister {
  _id: string;
  version: number;
  value: string;
}

const PATIENCE_MS = 5_000;
const DUPLICATE_KEY = 11_000;

/** Registers in one collection of a MongoDB database; a write is one update of one document, so it needs nothing else. */
export async function openMongodbRegisters(options: { url: string; database?: string }): Promise<Registers> {
  const client = new MongoClient(options.url, {
    appName: 'forgelog',
    writeConcern: { w: 'majority', journal: true },
    readConcern: { level: 'majority' },
    readPreference: 'primary',
    // A write that is repeated would find its own version taken; whoever writes knows his own value again.
    retryWrites: false,
    serverSelectionTimeoutMS: PATIENCE_MS,
    socketTimeoutMS: PATIENCE_MS,
  });
  try {
    await client.connect();
  } catch (error) {
    await client.close();
    throw error;
  }
  const registers = client.db(options.database).collection<StoredRegister>('_registers');
  return {
    async read(name) {
      const found = await registers.findOne({ _id: name });
      return found ? { version: found.version, value: found.value } : undefined;
    },
    async write(name, version, value) {
      if (version === 0) {
        try {
          await registers.insertOne({ _id: name, version: 1, value });
          return true;
        } catch (error) {
          if (error instanceof MongoServerError && error.code === DUPLICATE_KEY) return false;
          throw error;
        }
      }
      const { matchedCount } = await registers.updateOne(
        { _id: name, version },
        { $set: { version: version + 1, value } },
      );
      return matchedCount === 1;
    },
    close: () => client.close(),
  };
}
