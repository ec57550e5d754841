import { expect, onTestFinished, test, vi } from 'vitest';
import { IntegrationQueue, MOST_WAITING, type Queued, type Told } from './integration-queue.ts';

const event = (position: string) => ({ position }) as Queued['event'];

function queueTelling(tell: (id: number, queued: Queued) => Promise<Told>) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const failed = vi.fn();
  const queue = new IntegrationQueue({ tell, failed, moved() {}, now: () => performance.now() });
  return { queue, failed };
}

test('each chat is told in order, and one that waits holds up no other', async () => {
  const told: string[] = [];
  let left = 2;
  const { queue } = queueTelling(async (id, { event: { position } }) => {
    if (id === 1 && left-- > 0) return { kind: 'later', ms: 1_000 };
    told.push(`${id} ${position}`);
    return { kind: 'done' };
  });
  for (const position of ['a', 'b'])
    for (const id of [1, 2]) queue.add(id, event(position), `before ${position}`);
  await vi.advanceTimersByTimeAsync(100);
  expect(told).toEqual(['2 a', '2 b']);
  expect(queue.unfinished).toBe('before a');
  await vi.advanceTimersByTimeAsync(2_500);
  expect(told).toEqual(['2 a', '2 b', '1 a', '1 b']);
  expect(queue.unfinished).toBeUndefined();
});

test('too many events of a chat are refused, and what fails is tried again', async () => {
  let fails = true;
  const { queue, failed } = queueTelling(async () => {
    if (fails) throw new Error('the log is away');
    return { kind: 'done' };
  });
  const added = Array.from({ length: MOST_WAITING + 1 }, (_, at) => queue.add(1, event(String(at)), 'x'));
  expect(added.filter((one) => !one)).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(100);
  expect(failed).toHaveBeenCalledOnce();
  fails = false;
  await vi.advanceTimersByTimeAsync(6_000);
  expect(queue.unfinished).toBeUndefined();
  queue.add(2, event('z'), 'y');
  queue.forget(2);
  expect(queue.unfinished).toBeUndefined();
});
