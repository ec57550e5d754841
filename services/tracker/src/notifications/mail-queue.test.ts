import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Attempt, MailQueue } from './mail-queue.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function started({ delayMs = 1000, atOnce = 2, answer = (): Attempt => ({ kind: 'done' }) } = {}) {
  const told: string[] = [];
  const queue = new MailQueue<string>(
    {
      async tell({ userId }, queued) {
        told.push(`${userId}: ${queued.map(({ entry }) => entry).join()}`);
        await new Promise((resolve) => setTimeout(resolve, 100));
        return answer();
      },
      moved: () => {},
      now: () => Date.now(),
    },
    { delayMs, atOnce },
  );
  const add = (userId: number, entry: string, after = '0') =>
    queue.add(userId, 'Issue-70', [{ entry, after }]);
  return { told, queue, add };
}

test('what happens in quick succession is one mail for each user, and what comes meanwhile the next', async () => {
  const { told, queue, add } = started();
  for (const entry of ['a', 'b']) add(1, entry);
  add(2, 'a');
  await vi.advanceTimersByTimeAsync(999);
  expect(told).toEqual([]);
  await vi.advanceTimersByTimeAsync(10);
  expect(told).toEqual(['1: a,b', '2: a']);
  add(1, 'c');
  await vi.advanceTimersByTimeAsync(500);
  expect([told.length, queue.size]).toEqual([2, 1]);
  await vi.advanceTimersByTimeAsync(1200);
  expect(told.at(-1)).toBe('1: c');
  expect(queue.size).toBe(0);
});

test('a stop goes on from before the oldest thing that was not told', async () => {
  const { queue, add } = started();
  expect(queue.unfinished).toBeUndefined();
  add(1, 'b', '7');
  add(2, 'a', '5');
  expect(queue.unfinished).toBe('5');
  await vi.advanceTimersByTimeAsync(2000);
  expect(queue.unfinished).toBeUndefined();
});

test('one mail that failed waits alone, and a server that failed makes all wait', async () => {
  let answer: Attempt = { kind: 'later', ms: 5000 };
  const { told, add } = started({ delayMs: 0, atOnce: 1, answer: () => answer });
  add(1, 'a');
  await vi.advanceTimersByTimeAsync(200);
  answer = { kind: 'pause', ms: 60_000 };
  add(2, 'a');
  await vi.advanceTimersByTimeAsync(200);
  expect(told).toEqual(['1: a', '2: a']);
  answer = { kind: 'done' };
  add(3, 'a');
  await vi.advanceTimersByTimeAsync(50_000);
  expect(told).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(told.slice(2).sort()).toEqual(['1: a', '2: a', '3: a']);
});
