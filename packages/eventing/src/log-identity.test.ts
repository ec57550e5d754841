import { EpochBegun } from '@forgelog/contracts/shared/epoch.events.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { openMemoryEventStore } from './adapters/memory/memory-event-store.ts';
import { BEGINNING, type RecordedEvent } from './event.ts';
import { createCatalogue } from './event-catalogue.ts';
import type { EventStore } from './event-store.ts';
import { beginEpoch, knownIdentity, readLogIdentity } from './log-identity.ts';
import { someEvent } from './testing/event-store.contract.ts';
import { eventStoreDbServers } from './testing/eventstoredb-servers.ts';

const servers = eventStoreDbServers();
afterAll(() => servers.stop());

const catalogue = createCatalogue([EpochBegun]);
let second = 1_800_000_000;
const clock = () => new Date(++second * 1000);
const all = (store: EventStore) => store.readAll({ after: BEGINNING, limit: 1000 });

async function add(store: EventStore, count: number): Promise<void> {
  for (let at = 0; at < count; at++)
    await store.append(`thing-${crypto.randomUUID()}`, 'no-stream', [someEvent()]);
}

/** A log that holds the first `count` events of another one, as a restored backup does. */
async function restored(open: () => Promise<EventStore>, events: readonly RecordedEvent[], count: number) {
  const store = await open();
  for (const { stream, revision, position: _, ...event } of events.slice(0, count))
    await store.append(stream, revision === 0 ? 'no-stream' : revision - 1, [event]);
  return store;
}

/** Positions as they are published, in the order of the log. */
async function published(store: EventStore): Promise<string[]> {
  const identity = await readLogIdentity(store);
  return (await all(store)).map(({ position }) => identity!.publish(position));
}

const stores: [name: string, open: () => Promise<EventStore>][] = [
  ['memory', async () => openMemoryEventStore()],
  ['eventstoredb', async () => servers.open(await servers.start())],
];

describe.each(stores)('the identity of a log: %s', (_, open) => {
  test('an empty log has none, and its first event makes it', async () => {
    const store = await open();
    expect(await readLogIdentity(store)).toBeUndefined();
    await expect(beginEpoch({ store, catalogue, clock })).rejects.toThrow('The log is empty');
    await add(store, 2);
    const identity = await readLogIdentity(store);
    expect(identity!.id).toBe((await all(store))[0]!.id);
  });

  test('what a restore took back is lost, and everything before it is held', async () => {
    const store = await open();
    await add(store, 8);
    const before = await published(store);
    const copy = await restored(open, await all(store), 5);
    const { after } = await beginEpoch({ store: copy, catalogue, clock });
    expect(after).toBe(before[4]);
    await add(copy, 10);
    const identity = (await readLogIdentity(copy))!;
    const raw = (await all(copy)).map(({ position }) => position);
    for (const position of before.slice(0, 5)) expect(identity.read(position, copy).kind).toBe('held');
    for (const position of before.slice(5))
      expect(identity.read(position, copy)).toEqual({ kind: 'lost', common: raw[4] });
    const now = await published(copy);
    expect(now.slice(0, 5)).toEqual(before.slice(0, 5));
    expect(now.map((position) => identity.read(position, copy))).toEqual(
      raw.map((position) => ({ kind: 'held', position })),
    );
    expect([...before, ...now.slice(5)].toSorted()).toEqual([...before, ...now.slice(5)]);
    expect(new Set([...before, ...now]).size).toBe(8 + 11);
  });

  test('a second restore of the same backup takes back the first one', async () => {
    const store = await open();
    await add(store, 6);
    const [first, again] = [
      await restored(open, await all(store), 4),
      await restored(open, await all(store), 4),
    ];
    for (const copy of [first, again]) {
      await beginEpoch({ store: copy, catalogue, clock });
      await add(copy, 5);
    }
    const identity = (await readLogIdentity(again))!;
    const taken = (await published(first)).slice(4);
    for (const position of taken)
      expect(identity.read(position, again)).toEqual({ kind: 'lost', common: BEGINNING });
    const [, , , , begun] = await published(again);
    expect(taken.filter((position) => position >= begun!)).toEqual([]);
  });

  test('a restore within restores goes back to the earliest event in common', async () => {
    const store = await open();
    await add(store, 8);
    const before = await published(store);
    const copy = await restored(open, await all(store), 6);
    await beginEpoch({ store: copy, catalogue, clock });
    await add(copy, 3);
    const between = await published(copy);
    const last = await restored(open, await all(copy), 8);
    await beginEpoch({ store: last, catalogue, clock });
    await add(last, 3);
    const identity = (await readLogIdentity(last))!;
    const raw = (await all(last)).map(({ position }) => position);
    expect(identity.read(before[7]!, last)).toEqual({ kind: 'lost', common: raw[5] });
    expect(identity.read(between[7]!, last)).toEqual({ kind: 'held', position: raw[7] });
    expect(identity.read(between[8]!, last)).toEqual({ kind: 'lost', common: raw[7] });
  });

  test('a position of another log, or of none, is told from its own', async () => {
    const [store, other] = [await open(), await open()];
    for (const log of [store, other]) await add(log, 2);
    const identity = (await readLogIdentity(store))!;
    const [own, foreign] = [(await published(store))[1]!, (await published(other))[1]!];
    expect(identity.read(foreign, store)).toEqual({ kind: 'foreign' });
    const wrong = [
      '',
      'x',
      'p',
      own.slice(0, -1),
      `${own}0`,
      ` ${own}`,
      own.toUpperCase(),
      `${own}\n`,
      own.slice(1),
    ];
    expect(wrong.filter((text) => identity.read(text, store).kind !== 'malformed')).toEqual([]);
  });

  test('a position from before logs had epochs is one of the first epoch', async () => {
    const store = await open();
    await add(store, 3);
    const [{ position }] = (await all(store)).slice(-1) as [RecordedEvent];
    const identity = (await readLogIdentity(store))!;
    expect(identity.read(position, store)).toEqual({ kind: 'held', position });
    expect(identity.publish(position) > position).toBe(true);
  });
});

test('an epoch that begins while a process runs is known from its event on', async () => {
  const store = openMemoryEventStore();
  const known = knownIdentity(store);
  await expect(known.current()).rejects.toThrow('an empty log has no identity');
  await add(store, 3);
  const before = await known.forBatch(await all(store));
  const { epoch } = await beginEpoch({ store, catalogue, clock });
  await add(store, 1);
  const events = (await all(store)).slice(3);
  const after = await known.forBatch(events);
  expect(events.map(({ position }) => after.epochOf(position))).toEqual([epoch, epoch]);
  expect(before.epoch).not.toBe(epoch);
  expect(await known.current()).toBe(after);
  expect(await known.forBatch(events)).toBe(after);
});
