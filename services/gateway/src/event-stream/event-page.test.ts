import { openMemoryEventStore } from '@forgelog/eventing/adapters/memory/memory-event-store.ts';
import { BEGINNING, type Position, type RecordedEvent, SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { newEventId } from '@forgelog/eventing/event-id.ts';
import { knownIdentity } from '@forgelog/eventing/log-identity.ts';
import { expect, test } from 'vitest';
import type { EventFilter } from './event-filter.ts';
import { eventPage } from './event-page.ts';
import type { Reach } from './reach.ts';

/** A log of events with numbers, of which the filter lets pass one. */
async function pages(count: number, passing: number, longestMs?: number) {
  const store = openMemoryEventStore();
  const of = (number: number) => ({
    ...{ id: newEventId(), type: 'Numbered', schemaVersion: 1, time: new Date(0).toISOString() },
    ...{ data: { number }, metadata: SYSTEM_METADATA },
  });
  const events = Array.from({ length: count }, (_, number) => of(number));
  await store.append('numbers-1', 'no-stream', events);
  const isWanted = ({ data }: RecordedEvent) => (data as { number: number }).number === passing;
  const filter: EventFilter = {
    projectId: undefined,
    select: async (all) => all.filter(isWanted),
    endsBefore: () => false,
    until: null,
  };
  const reach: Reach = {
    holdsAt: async () => true,
    readable: async (all) => all,
    frame: ({ position, data }) => ({ id: position, json: JSON.stringify(data) }),
    publish: (position) => position,
    read: () => ({ kind: 'malformed' }),
  };
  const ports = { store, identity: knownIdentity(store), clock: () => new Date(), heartbeatMs: 1 };
  return (after: Position) => eventPage(ports, { after, filter, reach, limit: 10 }, longestMs);
}

test('a page goes on to the first event that passes, however much it passes over', async () => {
  const page = await pages(60_000, 59_000, 60_000);
  const first = await page(BEGINNING);
  expect(JSON.parse(first.text)).toEqual({ number: 59_000 });
  expect(await page(first.next)).toMatchObject({ text: '', hasCaughtUp: true });
});

test('a page that finds nothing in its time is empty, and the next ones get to the end', async () => {
  const page = await pages(2_000, 1_900, 0);
  const found: string[] = [];
  let next: Position = BEGINNING;
  let count = 0;
  for (let hasCaughtUp = false; !hasCaughtUp; count++) {
    const one = await page(next);
    expect(one.next > next).toBe(true);
    found.push(...one.text.split('\n').filter(Boolean));
    ({ next, hasCaughtUp } = one);
  }
  expect(count).toBeGreaterThan(5);
  expect(found).toEqual(['{"number":1900}']);
});
