import { expect, test, vi } from 'vitest';
import { waitingFor } from './waiting-for.ts';

test('waiting again and again leaves nothing behind in what is waited for', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const then = vi.spyOn(promise, 'then');
  const within = waitingFor(promise);
  for (let tries = 0; tries < 50; tries += 1) expect(await within(0)).toBeNull();
  expect(then).toHaveBeenCalledTimes(1);
  const waiting = within(60_000);
  resolve('it came');
  expect(await waiting).toBe('it came');
  expect(await within(0)).toBe('it came');
});

test('a failure while nobody waits is told to whoever waits next', async () => {
  const within = waitingFor(Promise.reject(new Error('the log is away')));
  await new Promise(setImmediate);
  await expect(within(0)).rejects.toThrow('the log is away');
});
