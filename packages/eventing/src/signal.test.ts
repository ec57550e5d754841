import { expect, test, vi } from 'vitest';
import { Signal } from './signal.ts';

test('a raise wakes all that wait, and nobody waits for what was raised before', async () => {
  const signal = new Signal();
  const { signal: abort } = new AbortController();
  const waiting = Promise.all([signal.raised(0, abort), signal.raised(0, abort)]);
  signal.raise();
  await waiting;
  await signal.raised(0, abort);
});

test('an abort wakes those that wait with it, and no others', async () => {
  const signal = new Signal();
  const [one, other] = [new AbortController(), new AbortController()];
  const woken: string[] = [];
  const first = signal.raised(0, one.signal).then(() => woken.push('first'));
  const second = signal.raised(0, other.signal).then(() => woken.push('second'));
  one.abort();
  await first;
  expect(woken).toEqual(['first']);
  await signal.raised(0, one.signal);
  signal.raise();
  await second;
});

test('a signal listens once to an abort, however often somebody waits', async () => {
  const signal = new Signal();
  const { signal: abort } = new AbortController();
  const listen = vi.spyOn(abort, 'addEventListener');
  for (let round = 0; round < 3; round += 1) {
    const waiting = signal.raised(round, abort);
    signal.raise();
    await waiting;
  }
  expect(listen).toHaveBeenCalledTimes(1);
});
