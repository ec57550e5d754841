import type { AnyEndpoint } from '@forgelog/contracts/endpoint.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createArchiveLimit } from './archive-limit.ts';

const archive = { id: 'repo-archive-get' } as AnyEndpoint;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('the sixth archive within a minute is refused, for this caller alone', async () => {
  const limit = createArchiveLimit();
  const ask = (address: string) => limit.check(archive, null, address);
  for (let times = 0; times < 5; times += 1) await ask('10.0.0.1');
  vi.advanceTimersByTime(20_000);
  await expect(ask('10.0.0.1')).rejects.toMatchObject({
    code: 'too_many_requests',
    headers: { 'Retry-After': '40', 'RateLimit-Observed': '6', 'RateLimit-Remaining': '0' },
  });
  await ask('10.0.0.2');
  vi.advanceTimersByTime(40_000);
  await ask('10.0.0.1');
});

test('other endpoints are not limited', () => {
  const limit = createArchiveLimit();
  const other = { id: 'version-get' } as AnyEndpoint;
  for (let times = 0; times < 10; times += 1) expect(limit.check(other, null, '10.0.0.1')).toBeUndefined();
});
