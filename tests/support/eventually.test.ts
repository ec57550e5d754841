import { expect, test, vi } from 'vitest';
import { eventually } from './eventually.ts';

test('gives the first answer that ends the wait', async () => {
  let asked = 0;
  expect(await eventually('a number', async () => ++asked, { until: (at) => at > 3, everyMs: 1 })).toBe(4);
  expect(await eventually('anything', () => (++asked > 6 ? 'there' : undefined), { everyMs: 1 })).toBe(
    'there',
  );
});

test('tells what it waited for in vain, what it saw last, and what else there is to say', async () => {
  const waiting = eventually('the lag grows', () => ({ lag: 0.2 }), {
    until: ({ lag }) => lag > 3,
    deadlineMs: 30,
    detail: () => 'The feed logged no failure.',
  });
  await expect(waiting).rejects.toThrow(
    'Waited 0.0 s in vain: the lag grows. Last answer: {"lag":0.2}.\nThe feed logged no failure.',
  );
});

test('an answer that never comes counts against the deadline', async () => {
  const waiting = eventually('an answer', () => new Promise(() => {}), { deadlineMs: 30 });
  await expect(waiting).rejects.toThrow('in vain: an answer. Last answer: none.');
});

test('what the question throws ends the wait at once', async () => {
  const ask = vi.fn().mockRejectedValue(new Error('the server ended'));
  await expect(eventually('an answer', ask)).rejects.toThrow('the server ended');
  expect(ask).toHaveBeenCalledTimes(1);
});

test('without a deadline of its own it fails before the time of its test is over', async () => {
  await expect(eventually('nothing', () => false)).rejects.toThrow('in vain: nothing');
}, 2_000);
