import { createHash, type Hash } from 'node:crypto';
import { BEGINNING, type RecordedEvent } from './event.ts';
import type { EventCatalogue } from './event-catalogue.ts';
import type { EventStore } from './event-store.ts';
import { policyCheckpoint } from './policy.ts';
import type { Projection } from './projection.ts';
import { ProjectionRunner } from './projection-runner.ts';
import type { AnyCollection, ReadStore } from './read-store.ts';

/**
 * Builds all read models anew beside the live ones and puts them in their place; the caller then closes and reopens
 * the live store. Policies keep where they stood: a rebuild never sends a mail again. A projection that cannot apply
 * an event ends the rebuild and leaves the live models as they were.
 */
export async function rebuildReadModels(options: {
  store: EventStore;
  readStore: ReadStore;
  catalogue: EventCatalogue;
  projections: readonly Projection[];
  /** Names of the policies whose positions are carried over. */
  policies?: readonly string[];
  batchSize?: number;
  onProgress?: (progress: { position: string; head: string; events: number }) => void;
}): Promise<{ events: number }> {
  const { store, readStore, catalogue, projections, batchSize = 1000 } = options;
  const candidate = await readStore.beside();
  try {
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
      options.onProgress?.({ position, head: await store.head(), events });
    }
    await runner.saveIdle();
    const checkpoints = new Map<string, string>();
    for (const policy of options.policies ?? []) {
      const name = policyCheckpoint(policy);
      checkpoints.set(name, await readStore.checkpoint(name));
    }
    await candidate.write({ changes: [], checkpoints });
    await candidate.swap();
    return { events };
  } catch (error) {
    await candidate.discard();
    throw error;
  }
}

const PAGE = 1000;

/** Every document as one line `collection key json`, in key order: two stores are equal where these are. */
export async function* dumpLines(
  readStore: ReadStore,
  collections: readonly AnyCollection[],
): AsyncGenerator<string> {
  for (const collection of collections.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    let after: readonly (string | number)[] | undefined;
    for (;;) {
      const page = (await readStore.find(collection, { limit: PAGE, after })) as Record<string, unknown>[];
      for (const document of page) yield `${collection.name} ${canonical(document)}`;
      if (page.length < PAGE) break;
      after = [page.at(-1)?.[collection.key] as string | number];
    }
  }
}

/** All documents as text. For stores that fit into memory; else compare `dumpHash`. */
export async function dump(readStore: ReadStore, collections: readonly AnyCollection[]): Promise<string> {
  return (await Array.fromAsync(dumpLines(readStore, collections))).join('\n');
}

/** SHA-256 of what `dump` would give. */
export async function dumpHash(readStore: ReadStore, collections: readonly AnyCollection[]): Promise<string> {
  const hash: Hash = createHash('sha256');
  for await (const line of dumpLines(readStore, collections)) hash.update(`${line}\n`);
  return hash.digest('hex');
}

/** JSON with the fields in order of their names, at the top: below, the order is the projection's own doing. */
function canonical(document: Record<string, unknown>): string {
  return JSON.stringify(Object.fromEntries(Object.entries(document).sort(([a], [b]) => (a < b ? -1 : 1))));
}
