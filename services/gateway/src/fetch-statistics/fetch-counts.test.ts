import { RepositoryFetched } from '@forgelog/contracts/gateway/access-log/access-log.events.ts';
import type { RecordedEvent } from '@forgelog/eventing/event.ts';
import { expect, test, vi } from 'vitest';
import { createFetchCounts } from './fetch-counts.ts';

const clock = () => new Date('2026-01-31T12:00:00Z');

const fetched = (projectId: number, day: string, count = 1, type: string = RepositoryFetched.type) => ({
  type,
  data: {
    projectId,
    operation: 'clone',
    count,
    firstAt: `${day}T10:00:00.000Z`,
    lastAt: `${day}T10:00:30.000Z`,
  },
});

/** An access log that tests append to. */
function accessLog(...events: ReturnType<typeof fetched>[]) {
  const readAll = vi.fn(async ({ after, limit }: { after: string; limit: number }) =>
    events
      .map((event, at) => ({ ...event, position: `a${at}` }) as unknown as RecordedEvent)
      .slice(after === '' ? 0 : Number(after.slice(1)) + 1)
      .slice(0, limit),
  );
  return { events, readAll };
}

test('fetches add up by day, the newest first, and other projects and events do not count', async () => {
  const log = accessLog(
    ...[fetched(7, '2026-01-29', 3), fetched(7, '2026-01-31'), fetched(7, '2026-01-29', 2)],
    ...[fetched(8, '2026-01-29'), fetched(7, '2026-01-30', 9, 'CredentialUsed')],
  );
  expect(await createFetchCounts(log, clock).of(7)).toEqual([
    { date: '2026-01-31', count: 1 },
    { date: '2026-01-29', count: 5 },
  ]);
});

test('the last 30 days count, today among them', async () => {
  let now = clock();
  const log = accessLog(fetched(7, '2026-01-01'), fetched(7, '2026-01-02'));
  const counts = createFetchCounts(log, () => now);
  expect(await counts.of(7)).toEqual([{ date: '2026-01-02', count: 1 }]);
  now = new Date('2026-02-01T00:00:00Z');
  expect(await counts.of(7)).toEqual([]);
});

test('a later call reads what came since, and callers at the same time read once', async () => {
  const log = accessLog(...Array.from({ length: 1_500 }, () => fetched(7, '2026-01-31')));
  const counts = createFetchCounts(log, clock);
  const all = await Promise.all([counts.of(7), counts.of(7), counts.of(8)]);
  expect(all).toEqual([[{ date: '2026-01-31', count: 1_500 }], [{ date: '2026-01-31', count: 1_500 }], []]);
  expect(log.readAll).toHaveBeenCalledTimes(2);
  log.events.push(fetched(7, '2026-01-31'));
  expect(await counts.of(7)).toEqual([{ date: '2026-01-31', count: 1_501 }]);
  expect(log.readAll).toHaveBeenCalledTimes(3);
});

test('nobody waits for a long log, and an error is not the last word', async () => {
  const log = accessLog(fetched(7, '2026-01-31'));
  const { promise, resolve } = Promise.withResolvers<RecordedEvent[]>();
  log.readAll.mockImplementationOnce(() => promise);
  const counts = createFetchCounts(log, clock, 20);
  await expect(counts.of(7)).rejects.toMatchObject({ status: 503 });
  resolve([]);
  await expect.poll(() => counts.of(7)).toEqual([{ date: '2026-01-31', count: 1 }]);
  log.readAll.mockRejectedValueOnce(new Error('away'));
  await expect(counts.of(7)).rejects.toThrow('away');
  expect(await counts.of(7)).toEqual([{ date: '2026-01-31', count: 1 }]);
});
