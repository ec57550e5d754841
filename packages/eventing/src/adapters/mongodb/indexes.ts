import { type Collection, type IndexDescription, MongoServerError } from 'mongodb';
import { GONE, type StoredDocument } from './stored-shape.ts';

/** Creates missing indexes and drops undeclared ones. An index's name states its whole definition. */
export async function ensureIndexes(
  collection: Collection<StoredDocument>,
  wanted: readonly IndexDescription[],
): Promise<void> {
  const existing = await indexNames(collection);
  const names = new Set(wanted.map(({ name }) => name));
  for (const name of existing) if (name !== '_id_' && !names.has(name)) await collection.dropIndex(name);
  const missing = wanted.filter(({ name }) => !existing.includes(name as string));
  if (missing.length > 0) await collection.createIndexes(missing);
}

const NAMESPACE_NOT_FOUND = 26;

async function indexNames(collection: Collection<StoredDocument>): Promise<string[]> {
  try {
    return (await collection.listIndexes().toArray()).map(({ name }) => name as string);
  } catch (error) {
    if (error instanceof MongoServerError && error.code === NAMESPACE_NOT_FOUND) return [];
    throw error;
  }
}

/** Milliseconds after which no writer can still hold an older change of the document. */
const REMEMBERED_MS = 24 * 60 * 60 * 1000;

/** Purges old tombstones at each start. A TTL index would do it, but some servers lack them. */
export async function purgeDeleted(collection: Collection<StoredDocument>): Promise<void> {
  await collection.deleteMany({ [GONE]: { $lt: new Date(Date.now() - REMEMBERED_MS) } });
}
