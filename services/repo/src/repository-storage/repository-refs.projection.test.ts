import type { DomainEvent } from '@forgelog/contracts/event.ts';
import { openMemoryReadStore } from '@forgelog/eventing/adapters/memory/memory-read-store.ts';
import { type RecordedEvent, SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { ProjectionBatch } from '@forgelog/eventing/projection-batch.ts';
import { expect, test } from 'vitest';
import { repositoryLogEnd, repositoryRefsProjection } from './repository-refs.projection.ts';

async function logEnds(...events: DomainEvent[]): Promise<Record<string, string>> {
  const store = openMemoryReadStore();
  await store.declare(repositoryRefsProjection.collections);
  for (const [at, { type, data }] of events.entries()) {
    const position = String(at + 1).padStart(16, '0');
    const event: RecordedEvent = {
      ...{ id: `event-${at}`, type, data, schemaVersion: 1, time: '2021-08-01T10:00:00.000Z' },
      ...{ metadata: SYSTEM_METADATA, stream: 's-1', revision: at, position },
    };
    const batch = new ProjectionBatch(repositoryRefsProjection, store);
    batch.begin(position);
    await repositoryRefsProjection.project(event, batch.documents);
    await store.write({ changes: batch.changes(), checkpoints: new Map() });
  }
  const found = await store.find(repositoryLogEnd, { limit: 10 });
  return Object.fromEntries(found.map(({ storage, eventId }) => [storage, eventId]));
}

const created = (projectId: number, storage: string) => ({
  type: 'ProjectCreated',
  data: { projectId, storage },
});
const moved = (projectId: number, ref: string) => ({
  type: 'RefUpdated',
  data: { projectId, ref, oldOid: '0'.repeat(40), newOid: 'a'.repeat(40) },
});

test('the last event of a storage is one of its own repositories', async () => {
  const both = [created(1, 'default'), created(2, 'second')];
  expect(await logEnds(...both)).toEqual({});
  expect(await logEnds(...both, moved(2, 'refs/heads/a'), moved(1, 'refs/heads/a'))).toEqual({
    second: 'event-2',
    default: 'event-3',
  });
  const deleted = { type: 'ProjectDeleted', data: { projectId: 2, storage: 'second' } };
  expect(await logEnds(...both, moved(2, 'refs/heads/a'), moved(1, 'refs/heads/a'), deleted)).toEqual({
    second: 'event-4',
    default: 'event-3',
  });
});
