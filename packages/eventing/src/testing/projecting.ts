import type { DomainEvent } from '@forgelog/contracts/event.ts';
import { openMemoryReadStore } from '../adapters/memory/memory-read-store.ts';
import { type RecordedEvent, SYSTEM_METADATA } from '../event.ts';
import type { Projection } from '../projection.ts';
import { ProjectionBatch } from '../projection-batch.ts';
import type { AnyCollection, DocumentOf, ReadStore } from '../read-store.ts';

export function recorded(at: number, event: DomainEvent, metadata: Partial<RecordedEvent['metadata']> = {}) {
  const number = String(at).padStart(6, '0');
  const time = new Date(Date.UTC(2030, 0, 1) + at * 1000).toISOString();
  return {
    id: `00000000-0000-4000-8000-000000${number}`,
    ...event,
    schemaVersion: 1,
    time,
    metadata: { ...SYSTEM_METADATA, ...metadata },
    stream: 'test-1',
    revision: at,
    position: number,
  } satisfies RecordedEvent;
}

export async function applyTo(
  readStore: ReadStore,
  projection: Projection,
  events: readonly RecordedEvent[],
): Promise<void> {
  await readStore.declare(projection.collections);
  for (const event of events) {
    if (!projection.handles.includes(event.type)) continue;
    const batch = new ProjectionBatch(projection, readStore);
    batch.begin(event.position);
    await projection.project(event, batch.documents);
    await readStore.write({
      changes: batch.changes(),
      checkpoints: new Map([[projection.name, event.position]]),
    });
  }
}

/** A read store after these events. Each is applied twice, which must make no difference. */
export async function projected(
  projection: Projection,
  events: readonly RecordedEvent[],
): Promise<{ readStore: ReadStore; all<C extends AnyCollection>(collection: C): Promise<DocumentOf<C>[]> }> {
  const readStore = openMemoryReadStore();
  for (const event of events) await applyTo(readStore, projection, [event, event]);
  return {
    readStore,
    all: async (collection) =>
      (await readStore.find(collection, { limit: 10_000 })) as DocumentOf<typeof collection>[],
  };
}
