import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { RunnerRow } from '../runners/runners.projection.ts';
import { createWaitingRunners } from './waiting-runners.ts';

const runner = (id: number) => ({ id }) as RunnerRow;
const never = () => new AbortController().signal;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('the runner that waits longest among those that may is woken, and no other', async () => {
  const waiting = createWaitingRunners(() => Date.now());
  const woken: number[] = [];
  for (const id of [1, 2, 3])
    void waiting.wait(runner(id), 50_000, never()).then((isWoken) => isWoken && woken.push(id));
  await waiting.wakeOne(({ id }) => id > 1);
  await vi.advanceTimersByTimeAsync(0);
  expect([woken, waiting.size]).toEqual([[2], 2]);
  waiting.wakeAll(({ id }) => id === 3);
  await vi.advanceTimersByTimeAsync(0);
  expect([woken, waiting.size]).toEqual([[2, 3], 1]);
});

test('a runner waits no longer than its time, and all of them by one timer that ends with the last', async () => {
  const waiting = createWaitingRunners(() => Date.now());
  const ends = [10_000, 20_000].map((milliseconds, id) => waiting.wait(runner(id), milliseconds, never()));
  expect(vi.getTimerCount()).toBe(1);
  await vi.advanceTimersByTimeAsync(11_000);
  expect([await ends[0], waiting.size, vi.getTimerCount()]).toEqual([false, 1, 1]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect([await ends[1], waiting.size, vi.getTimerCount()]).toEqual([false, 0, 0]);
});

test('a runner that leaves is forgotten', async () => {
  const waiting = createWaitingRunners(() => Date.now());
  const leaving = new AbortController();
  const waited = waiting.wait(runner(1), 50_000, leaving.signal);
  leaving.abort();
  expect([await waited, waiting.size, vi.getTimerCount()]).toEqual([false, 0, 0]);
  expect(await waiting.wait(runner(1), 50_000, leaving.signal)).toBe(false);
});

test('a drain lets all go and holds nobody', async () => {
  const waiting = createWaitingRunners(() => Date.now());
  const waited = waiting.wait(runner(1), 50_000, never());
  waiting.drain();
  expect([await waited, await waiting.wait(runner(2), 50_000, never())]).toEqual([false, false]);
});
