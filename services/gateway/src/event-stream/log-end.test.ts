import { setTimeout as sleep } from 'node:timers/promises';
import { openMemoryEventStore } from '@forgelog/eventing/adapters/memory/memory-event-store.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { newEventId } from '@forgelog/eventing/event-id.ts';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { LogPart } from './followed-log.ts';
import { createLogEnd, type LogEnd, type WaitingReader } from './log-end.ts';

function log() {
  const store = openMemoryEventStore();
  const subscribe = vi.spyOn(store, 'subscribe');
  const add = async (basket: string) => {
    const event = { id: newEventId(), type: 'ItemAdded', schemaVersion: 2, data: { basket, amount: 1 } };
    await store.append(`basket-${basket}`, 'no-stream', [
      { ...event, time: new Date(0).toISOString(), metadata: SYSTEM_METADATA },
    ]);
    return store.head();
  };
  const logEnd = createLogEnd(store, 5);
  onTestFinished(() => logEnd.close());
  return { store, subscribe, add, logEnd };
}

class Reader implements WaitingReader {
  position: string;
  dueAt = Number.POSITIVE_INFINITY;
  read: string[] = [];
  calls: string[] = [];
  readonly #logEnd: LogEnd;

  constructor(logEnd: LogEnd, position: string) {
    this.#logEnd = logEnd;
    this.position = position;
  }

  wait = () => this.#logEnd.wait(this);

  take({ events, upTo }: LogPart): void {
    this.read.push(...events.map(({ position }) => position));
    this.position = upTo;
    this.wait();
  }

  due(): void {
    this.calls.push('due');
  }

  readAlone(): void {
    this.calls.push('alone');
  }
}

test('a thousand readers wait with one subscription, and each reads each event once', async () => {
  const { subscribe, add, logEnd } = log();
  const end = await add('first');
  const readers = Array.from({ length: 1_000 }, () => new Reader(logEnd, end));
  for (const reader of readers) expect(reader.wait()).toBe(true);
  const next = [await add('second'), await add('third')];
  await expect.poll(() => readers.every(({ read }) => read.length === 2)).toBe(true);
  for (const { read } of readers) expect(read).toEqual(next);
  expect(subscribe).toHaveBeenCalledTimes(1);
});

test('a reader who is behind reads first, and one who is ahead reads nothing twice', async () => {
  const { add, logEnd } = log();
  const [first, second, third] = [await add('first'), await add('second'), await add('third')];
  const [waits, ahead] = [new Reader(logEnd, first), new Reader(logEnd, second)];
  for (const reader of [waits, ahead]) expect(reader.wait()).toBe(true);
  await expect.poll(() => waits.read).toEqual([second, third]);
  expect(ahead.read).toEqual([third]);
  expect(new Reader(logEnd, second).wait()).toBe(false);
});

test('a reader is called when they are due, and only then', async () => {
  const { add, logEnd } = log();
  const end = await add('first');
  const [soon, later] = [new Reader(logEnd, end), new Reader(logEnd, end)];
  [soon.dueAt, later.dueAt] = [performance.now() + 30, performance.now() + 60_000];
  for (const reader of [later, soon]) reader.wait();
  await sleep(10);
  expect(soon.calls).toEqual([]);
  await expect.poll(() => soon.calls).toEqual(['due']);
  await sleep(50);
  expect([soon.calls, later.calls]).toEqual([['due'], []]);
});

test('a log that cannot be followed is left to each reader', async () => {
  const { store, subscribe, add, logEnd } = log();
  const end = await add('first');
  // biome-ignore lint/correctness/useYield: it fails before it has anything.
  subscribe.mockImplementationOnce(async function* () {
    throw new Error('the log is away');
  });
  const readers = [new Reader(logEnd, end), new Reader(logEnd, end)];
  for (const reader of readers) reader.wait();
  await expect.poll(() => readers.map(({ calls }) => calls)).toEqual([['alone'], ['alone']]);
  const [reader] = readers;
  expect(reader!.wait()).toBe(true);
  const next = await add('second');
  await expect.poll(() => reader!.read).toEqual([next]);
  await store.close();
});

test('the log is followed no longer than somebody waits, apart from a moment', async () => {
  const { subscribe, add, logEnd } = log();
  const end = await add('first');
  const reader = new Reader(logEnd, end);
  reader.wait();
  const { signal } = subscribe.mock.calls[0]![0];
  expect(logEnd.leave(reader)).toBe(true);
  expect(logEnd.leave(reader)).toBe(false);
  expect(signal.aborted).toBe(false);
  await expect.poll(() => signal.aborted).toBe(true);
  reader.wait();
  const next = await add('second');
  await expect.poll(() => reader.read).toEqual([next]);
});
