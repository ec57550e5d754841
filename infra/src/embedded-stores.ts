import { openMemoryEventStore } from '@forgelog/eventing/adapters/memory/memory-event-store.ts';
import { openMemoryReadStore } from '@forgelog/eventing/adapters/memory/memory-read-store.ts';

export async function openEmbeddedStores() {
  return { store: openMemoryEventStore(), readStore: openMemoryReadStore() };
}
