import { setTimeout as sleep } from 'node:timers/promises';
import { normalise } from './document.ts';
import { BEGINNING, type Position } from './event.ts';
import type { Log } from './log-sink.ts';
import { and, asc, type Condition, not, or } from './query.ts';
import { matches } from './query-evaluation.ts';
import {
  type AnyCollection,
  type Change,
  defineCollection,
  type Query,
  type ReadStore,
  type WriteBatch,
} from './read-store.ts';

/** What ended in one collection. Nobody sees it any more; its documents are deleted one after another. */
const endings = defineCollection({
  name: 'endings',
  key: 'key',
  fields: { key: 'text', collection: 'text', where: 'json', position: 'text' },
  indexes: [],
});

interface Ending {
  key: string;
  collection: string;
  where: Condition;
  position: Position;
}

/** A read store in which many documents can end with one change. */
export interface EndingReadStore extends ReadStore {
  /** What a batch of changes must hold to end these documents. None that matches may come later. */
  ending(collection: AnyCollection, where: Condition, position: Position): Change;
  /** Resolves once all that ended is deleted. */
  cleared(): Promise<void>;
}

export const isEnding = (store: ReadStore): store is EndingReadStore => 'ending' in store;

const MOST = 10_000;
/** Documents that are deleted at once, which takes some milliseconds, and the pause after them in milliseconds. */
const AT_ONCE = 200;
const PAUSE_MS = 5;

/**
 * Hides documents that ended from all readers, as of the write that says so, and deletes them beside other work (ADR 115).
 * A project with 100,000 issues then ends as fast as one with ten. What is not deleted yet outlives a kill, and is hidden.
 * @param options `deletes: false` leaves the deletions to the next process
 */
export function endingReadStore(
  store: ReadStore,
  log: Pick<Log, 'error'>,
  { deletes = true, retryMs = 5_000 } = {},
): EndingReadStore {
  const { copies } = store;
  const hidden = new Map<string, Ending[]>();
  const declared = new Map<string, AnyCollection>();
  /** After a failed write, until it is asked how far the store is. */
  let isUnknown = false;
  let writing: Promise<unknown> = Promise.resolve();
  let clearing: Promise<void> | null = null;
  const stopping = new AbortController();

  async function learn(): Promise<void> {
    const found = await store.find(endings, { limit: MOST });
    hidden.clear();
    for (const ending of found) hide(ending as Ending);
  }

  function hide(ending: Ending): void {
    const others = hidden.get(ending.collection) ?? [];
    if (others.some(({ key }) => key === ending.key)) return;
    hidden.set(ending.collection, [...others, ending]);
    if (!deletes) return;
    clearing ??= clear().finally(() => {
      clearing = null;
    });
  }

  function forget({ key, collection }: Ending): void {
    const others = hidden.get(collection)?.filter((ending) => ending.key !== key) ?? [];
    if (others.length > 0) hidden.set(collection, others);
    else hidden.delete(collection);
  }

  const isPlain = () => hidden.size === 0 && !isUnknown;

  async function hiddenIn({ name }: AnyCollection): Promise<Condition | undefined> {
    if (isUnknown) await learn();
    const found = hidden.get(name);
    return found && or(...found.map(({ where }) => where));
  }

  /** One write after another: an adapter may take a large one in parts. */
  function inTurn<T>(write: () => Promise<T>): Promise<T> {
    const turn = writing.then(write);
    writing = turn.catch(() => {});
    return turn;
  }

  async function write(batch: WriteBatch): Promise<void> {
    const ended = batch.changes.filter((change) => change.collection === endings);
    try {
      await store.write(batch);
    } catch (error) {
      isUnknown ||= ended.length > 0;
      throw error;
    }
    for (const change of ended) if (change.kind === 'put') hide(change.document as unknown as Ending);
  }

  /** Its position is the last for an ending, and so for what deletes it. */
  const told = ({ key, position }: Ending): WriteBatch => ({
    changes: [{ kind: 'delete', collection: endings, key, position }],
    checkpoints: new Map(),
  });

  async function clear(): Promise<void> {
    while (hidden.size > 0 && !stopping.signal.aborted) {
      const [first] = hidden.values();
      const ending = first![0]!;
      try {
        await clearOne(ending);
      } catch (error) {
        if (stopping.signal.aborted) return;
        log.error(
          { err: error, collection: ending.collection },
          'what ended is not deleted yet; tried again later',
        );
        await pause(retryMs);
      }
    }
  }

  async function clearOne(ending: Ending): Promise<void> {
    const { position } = ending;
    const collection = declared.get(ending.collection);
    let before: unknown;
    while (collection && !stopping.signal.aborted) {
      const found = (await store.find(collection, {
        ...{ where: ending.where, select: [collection.key], sort: [asc(collection.key)], limit: AT_ONCE },
      })) as Record<string, string | number>[];
      const first = found[0]?.[collection.key];
      // Whatever is newer than its end stays, and is seen again.
      if (found.length === 0 || first === before) break;
      before = first;
      const changes = found.map(
        (document): Change => ({ kind: 'delete', collection, key: document[collection.key]!, position }),
      );
      await inTurn(() => store.write({ changes, checkpoints: new Map() }));
      await pause(PAUSE_MS);
    }
    if (stopping.signal.aborted) return;
    await inTurn(() => store.write(told(ending)));
    forget(ending);
  }

  const pause = (ms: number) => sleep(ms, undefined, { signal: stopping.signal, ref: false }).catch(() => {});

  /** @param whole reads the document, of which `read` gives a part */
  async function seen<T>(
    collection: AnyCollection,
    read: () => Promise<T | undefined>,
    whole: () => Promise<object | undefined>,
  ): Promise<T | undefined> {
    const where = await hiddenIn(collection);
    if (!where) return read();
    const document = await whole();
    return document && !matches(where, document as never) ? read() : undefined;
  }

  const visible = async <Q extends { where?: Condition | undefined }>(
    collection: AnyCollection,
    query: Q,
  ): Promise<Q> => {
    const where = await hiddenIn(collection);
    if (!where) return query;
    return { ...query, where: query.where ? and(query.where, not(where)) : not(where) };
  };

  return {
    async declare(collections) {
      const { reset } = await store.declare([...collections, endings]);
      for (const collection of collections) declared.set(collection.name, collection);
      await learn();
      return { reset: reset.filter((name) => name !== endings.name) };
    },

    async reset(collections, checkpoints) {
      await inTurn(() => store.reset(collections, checkpoints));
      for (const { name } of collections)
        for (const ending of hidden.get(name) ?? []) {
          await inTurn(() => store.write(told(ending)));
          forget(ending);
        }
    },

    get(collection, key) {
      const read = () => store.get(collection, key);
      return isPlain() ? read() : seen(collection, read, read);
    },

    entry(collection, key) {
      const read = () => store.entry(collection, key);
      return isPlain() ? read() : seen(collection, read, () => store.get(collection, key));
    },

    getFields(collection, key, fields) {
      const read = () => store.getFields(collection, key, fields);
      return isPlain() ? read() : seen(collection, read, () => store.get(collection, key));
    },

    find: ((collection: AnyCollection, query: Query<AnyCollection>) =>
      isPlain()
        ? store.find(collection, query)
        : visible(collection, query).then((asked) => store.find(collection, asked))) as ReadStore['find'],

    count: (collection, query) =>
      isPlain()
        ? store.count(collection, query)
        : visible(collection, query).then((asked) => store.count(collection, asked)),

    async checkpoint(projection) {
      const position = await store.checkpoint(projection);
      if (isUnknown) await learn();
      isUnknown = false;
      return position;
    },

    write: (batch) => inTurn(() => write(batch)),
    beside: () => store.beside(),
    ...(copies && {
      copies: { give: () => inTurn(() => copies.give()), take: (bytes) => copies.take(bytes) },
    }),

    ending({ name }, where, position) {
      const key = `${position} ${name} ${JSON.stringify(where)}`;
      const document = normalise(endings, { key, collection: name, where, position });
      return { kind: 'put', collection: endings, key, document, position: BEGINNING };
    },

    async cleared() {
      while (clearing) await clearing;
    },

    async close() {
      stopping.abort();
      await clearing;
      await store.close();
    },
  };
}
