import { createLogger } from '@forgelog/service-kit/log.ts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createOccurrenceCounts } from './occurrence-counts.ts';

const AT = '2026-11-20T12:00:00.000Z';
const error = { projectId: 7, fingerprint: 'f' };

async function counting(failures = 0) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const written: number[] = [];
  let left = failures;
  const handle = async (_decider: unknown, _stream: string, { occurrences }: { occurrences: number }) => {
    if (left > 0) {
      left -= 1;
      throw new Error('the log is away');
    }
    written.push(occurrences);
  };
  const counts = createOccurrenceCounts(
    { commands: { handle } as never, log: createLogger({ LOG_LEVEL: 'silent' } as never) },
    () => performance.now(),
  );
  await counts.start();
  return { counts, written };
}

test('a crash loop is written once at first, then once a minute, and at the end', async () => {
  const { counts, written } = await counting();
  for (let second = 0; second < 130; second += 1) {
    for (let each = 0; each < 10; each += 1) counts.seen(error, AT);
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect(written).toHaveLength(3);
  await counts.stop();
  expect(written).toHaveLength(4);
  expect(written.reduce((sum, each) => sum + each, 0)).toBe(1300);
});

test('what could not be written is counted on', async () => {
  const { counts, written } = await counting(1);
  counts.seen(error, AT);
  await vi.advanceTimersByTimeAsync(1_000);
  counts.seen(error, AT);
  await vi.advanceTimersByTimeAsync(61_000);
  expect(written).toEqual([2]);
  await counts.stop();
});

test('errors beyond a bound are not counted', async () => {
  const { counts, written } = await counting();
  for (let each = 0; each < 10_100; each += 1) counts.seen({ projectId: 7, fingerprint: String(each) }, AT);
  await counts.stop();
  expect(written).toHaveLength(10_000);
});
