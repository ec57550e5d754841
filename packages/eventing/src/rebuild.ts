import { createHash, type Hash } from 'node:crypto';
import { BEGINNING, type Position, type RecordedEvent } from './event.ts';
import type { EventCatalogue } from './event-catalogue.ts';
import type { EventStore } from './event-store.ts';
import { feedCheckpoint } from './feed-relay.ts';
import { policyCheckpoint } from './policy.ts';
import type { Projection, ProjectionDocuments } from './projection.ts';
import { ProjectionRunner } from './projection-runner.ts';
import type { AnyCollection, ReadStore, ReadStoreCandidate } from './read-store.ts';

export interface RebuildOptions {
  store: EventStore;
  readStore: ReadStore;
  catalogue: EventCatalogue;
  projections: readonly Projection[];
  batchSize?: number;
  onProgress?: (progress: { position: string; head: string; events: number }) => void;
}

/**
 * Builds all read models beside the live ones and swaps them in; the caller then reopens the live store. Checkpoints of
 * policies and feeds are kept. A failure leaves the live models unchanged.
 */
export async function rebuildReadModels(
  options: RebuildOptions & {
    policies?: readonly string[];
    feeds?: readonly string[];
    /** The end of a restored log before an epoch began. */
    end?: Position | undefined;
  },
): Promise<{ events: number }> {
  const { store, readStore, projections } = options;
  const candidate = await readStore.beside();
  try {
    const events = await projectAnew(candidate, projections, options);
    const end = options.end ?? (await store.head());
    const checkpoints = new Map<string, string>();
    const { policies = [], feeds = [] } = options;
    for (const name of [...policies.map(policyCheckpoint), ...feeds.map((feed) => feedCheckpoint(feed))]) {
      const stood = await readStore.checkpoint(name);
      // A log restored from a backup may end earlier: nothing after its end was reacted to or published.
      checkpoints.set(name, [stood, end].toSorted()[0]!);
    }
    await candidate.write({ changes: [], checkpoints });
    await candidate.swap();
    return { events };
  } catch (error) {
    await candidate.discard();
    throw error;
  }
}

/** Rebuilds up to the live checkpoints and returns the collections that differ by a byte. Changes nothing. */
export async function differingCollections(options: RebuildOptions): Promise<string[]> {
  const { readStore, projections } = options;
  const upTo = new Map<string, Position>();
  for (const { name } of projections) upTo.set(name, await readStore.checkpoint(name));
  const candidate = await readStore.beside();
  try {
    const bounded = projections.map((projection) => ({
      ...projection,
      project: async (event: RecordedEvent, documents: ProjectionDocuments) => {
        if (event.position <= upTo.get(projection.name)!) await projection.project(event, documents);
      },
    }));
    await projectAnew(candidate, bounded, options);
    const differing: string[] = [];
    for (const collection of projections.flatMap(({ collections }) => collections)) {
      const [live, anew] = [await dumpHash(readStore, [collection]), await dumpHash(candidate, [collection])];
      if (live !== anew) differing.push(collection.name);
    }
    return differing;
  } finally {
    await candidate.discard();
  }
}

async function projectAnew(
  candidate: ReadStoreCandidate,
  projections: readonly Projection[],
  { store, catalogue, batchSize = 1000, onProgress }: RebuildOptions,
): Promise<number> {
  const collections = projections.flatMap((projection) => projection.collections);
  await candidate.declare(collections);
  await candidate.reset(collections, []);
  const running = projections.map((projection) => ({
    projection: { ...projection, project: projection.project.bind(projection), applied: undefined },
    handles: new Set(projection.handles),
    position: BEGINNING,
    saved: BEGINNING,
    halted: null,
  }));
  const runner = new ProjectionRunner(running, {
    readStore: candidate,
    catalogue,
    onHalt({ projection, halted }) {
      const reason = `projection ${projection.name} cannot apply the event at ${halted?.position}`;
      throw new Error(reason, { cause: halted?.error });
    },
  });
  let position = BEGINNING;
  let events = 0;
  for (;;) {
    const batch = await store.readAll({ after: position, limit: batchSize });
    if (batch.length === 0) break;
    await runner.apply(batch);
    position = (batch.at(-1) as RecordedEvent).position;
    events += batch.length;
    onProgress?.({ position, head: await store.head(), events });
  }
  await runner.saveIdle();
  return events;
}

const PAGE = 1000;

/** Fewer than an adapter stores once more to read them together. */
const FEW = 4;

/**
 * One line per document, `collection key json`, in key order, for comparing stores. An adapter may store a value twice,
 * to find documents and to read them, so documents are read whole and in parts. One whose parts differ has two lines.
 */
export async function* dumpLines(
  readStore: ReadStore,
  collections: readonly AnyCollection[],
): AsyncGenerator<string> {
  for (const collection of collections.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const fields = Object.keys(collection.fields);
    const parts = Array.from({ length: Math.ceil(fields.length / FEW) }, (_, part) =>
      fields.slice(part * FEW, (part + 1) * FEW),
    );
    let after: readonly (string | number)[] | undefined;
    for (;;) {
      const query = { limit: PAGE, after };
      const page = (await readStore.find(collection, query)) as Record<string, unknown>[];
      const inParts: object[][] = [];
      for (const select of parts) inParts.push(await readStore.find(collection, { ...query, select }));
      for (const [at, document] of page.entries()) {
        const whole = canonical(document);
        yield `${collection.name} ${whole}`;
        const joined = canonical(Object.assign({}, ...inParts.map((part) => part[at])));
        if (joined !== whole) yield `${collection.name} ${joined}`;
      }
      if (page.length < PAGE) break;
      after = [page.at(-1)?.[collection.key] as string | number];
    }
  }
}

/** Holds everything in memory; compare large stores with `dumpHash`. */
export async function dump(readStore: ReadStore, collections: readonly AnyCollection[]): Promise<string> {
  return (await Array.fromAsync(dumpLines(readStore, collections))).join('\n');
}

export async function dumpHash(readStore: ReadStore, collections: readonly AnyCollection[]): Promise<string> {
  const hash: Hash = createHash('sha256');
  for await (const line of dumpLines(readStore, collections)) hash.update(`${line}\n`);
  return hash.digest('hex');
}

/** Sorts the top-level fields only; the projection determines the order below. */
function canonical(document: Record<string, unknown>): string {
  return JSON.stringify(Object.fromEntries(Object.entries(document).sort(([a], [b]) => (a < b ? -1 : 1))));
}
