import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSweeper } from './sweeper.ts';

const DAY_MS = 86_400_000;
let now = Date.parse('2026-03-09T23:59:57Z');
const errors: unknown[] = [];
const ports = { clock: () => new Date(now), log: { error: (entry: unknown) => errors.push(entry) } };

beforeEach(() => vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => vi.useRealTimers());

async function pass(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    now += 1000;
    await vi.advanceTimersByTimeAsync(1000);
  }
}

test('a sweep comes at the start, within a second of a new day, each minute, and when the clock jumps', async () => {
  const sweep = vi.fn(async () => {});
  const sweeper = createSweeper(ports as never, 'things', sweep);
  await sweeper.start();
  expect(sweep).toHaveBeenCalledTimes(1);
  await pass(2);
  expect(sweep).toHaveBeenCalledTimes(1);
  await pass(1);
  expect(ports.clock().toISOString()).toBe('2026-03-10T00:00:00.000Z');
  expect(sweep).toHaveBeenCalledTimes(2);
  await pass(60);
  expect(sweep).toHaveBeenCalledTimes(3);
  now -= 3 * DAY_MS;
  await pass(1);
  expect(sweep).toHaveBeenCalledTimes(4);
  await sweeper.stop();
  await pass(120);
  expect(sweep).toHaveBeenCalledTimes(4);
});

test('a sweep may come more often', async () => {
  const sweep = vi.fn(async () => {});
  const sweeper = createSweeper(ports as never, 'things', sweep, { everySeconds: 2 });
  await sweeper.start();
  await pass(4);
  expect(sweep).toHaveBeenCalledTimes(3);
  await sweeper.stop();
});

test('a slow sweep is alone, ends with the stop, and a failed one comes again', async () => {
  const ended = Promise.withResolvers<void>();
  let calls = 0;
  const sweeper = createSweeper(ports as never, 'things', async (signal) => {
    calls += 1;
    if (calls === 1) throw new Error('away');
    signal.addEventListener('abort', () => ended.resolve());
    await ended.promise;
  });
  await sweeper.start();
  await pass(60);
  expect(errors).toHaveLength(1);
  expect(calls).toBe(2);
  await pass(200);
  expect(calls).toBe(2);
  await sweeper.stop();
});
