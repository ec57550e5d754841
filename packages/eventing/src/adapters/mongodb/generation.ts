import type { Collection, Db } from 'mongodb';
import type { Position } from '../../event.ts';
import { isLasting } from '../../read-store.ts';
import type { StoredDocument } from './stored-shape.ts';

export interface StoredCheckpoint {
  _id: string;
  position: Position;
}

const PREFIX = /^g(\d+)\./;

/** One set of read models: the live one, or one being rebuilt. Collections are named `g<number>.<name>`. */
export class Generation {
  readonly #db: Db;
  readonly number: number;

  constructor(db: Db, number: number) {
    this.#db = db;
    this.number = number;
  }

  collection<T extends { _id: unknown } = StoredDocument>(name: string): Collection<T> {
    return this.#db.collection<T>(`g${this.number}.${name}`);
  }

  /** Checkpoints that outlive a generation are stored outside all of them. */
  checkpoints(name: string): Collection<StoredCheckpoint> {
    return isLasting(name) ? this.#db.collection('_checkpoints') : this.collection('_checkpoints');
  }
}

interface Live {
  _id: 'live';
  generation: number;
}

export async function liveGeneration(db: Db): Promise<Generation> {
  const held = await db.collection<Live>('_instance').findOne({ _id: 'live' });
  return new Generation(db, held?.generation ?? 1);
}

/** A single document names the live generation, so the swap is atomic. */
export async function makeLive(db: Db, { number }: Generation): Promise<void> {
  await db
    .collection<Live>('_instance')
    .replaceOne({ _id: 'live' }, { generation: number }, { upsert: true });
}

export async function dropGenerations(db: Db, unwanted: (generation: number) => boolean): Promise<void> {
  const names = await db.listCollections({}, { nameOnly: true }).toArray();
  for (const { name } of names) {
    const generation = PREFIX.exec(name)?.[1];
    if (generation !== undefined && unwanted(Number(generation))) await db.collection(name).drop();
  }
}
