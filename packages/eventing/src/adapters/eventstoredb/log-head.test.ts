import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { EventStoreUnavailableError } from '../../event-store.ts';
import type { Connection } from './connection.ts';
import { createLogHead } from './log-head.ts';

test('times out a head() read that never settles, and the next caller starts a new one', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const readAll = vi.fn(() =>
    Object.assign(new PassThrough({ objectMode: true }), { cancel: async () => {} }),
  );
  const connection = {
    client: { readAll },
    // Disables the per-attempt deadline.
    deadlineMs: 2 ** 30,
    patienceMs: 1000,
    closed: new AbortController().signal,
  } as unknown as Connection;
  const head = createLogHead(connection);
  const first = expect(head()).rejects.toThrow(EventStoreUnavailableError);
  const waiting = head();
  await vi.advanceTimersByTimeAsync(30_000);
  await first;
  expect(readAll).toHaveBeenCalledTimes(2);
  readAll.mock.results[1]!.value.end();
  await expect(waiting).resolves.toBe('');
});
