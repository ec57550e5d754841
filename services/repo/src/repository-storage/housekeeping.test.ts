import { GitCancelledError } from '@forgelog/git/errors.ts';
import type { Packed } from '@forgelog/git/packs/packing.ts';
import { createMetrics } from '@forgelog/service-kit/telemetry/metrics.ts';
import { expect, test, vi } from 'vitest';
import { createHousekeeping, NO_HOUSEKEEPING } from './housekeeping.ts';
import type { Repositories } from './repositories.ts';

const BOUNDS = { looseObjects: 10, packs: 2 };
const PACKED = { looseObjects: 12, packs: 0 };

/** Repositories whose packing ends when the test says so. */
function housekept(REPOSITORY_HOUSEKEEPING: 'on' | 'off' = 'on') {
  const runs: { projectId: number; signal: AbortSignal; end: (how: Packed | Error) => void }[] = [];
  const [info, error] = [vi.fn(), vi.fn()];
  let now = Date.parse('2026-01-01T00:00:00Z');
  let isDeleted = false;
  const pack = (projectId: number) => (_: unknown, signal: AbortSignal) =>
    new Promise<Packed>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new GitCancelledError()));
      runs.push({ projectId, signal, end: (how) => (how instanceof Error ? reject(how) : resolve(how)) });
    });
  const of = (projectId: number) => ({ pack: pack(projectId) });
  const metrics = createMetrics();
  const housekeeping = createHousekeeping({
    repositories: { of, isDeleted: async () => isDeleted } as unknown as Repositories,
    log: { info, error },
    metrics,
    clock: () => new Date(now),
    configuration: { REPOSITORY_HOUSEKEEPING },
    bounds: BOUNDS,
  });
  return {
    ...housekeeping,
    housekeeping,
    info,
    error,
    runs,
    metrics,
    begun: (count: number) => expect.poll(() => runs.length).toBe(count),
    pass: (ms: number) => {
      now += ms;
    },
    remove: () => {
      isDeleted = true;
    },
  };
}

test('a small repository is never packed', async () => {
  const { consider, runs, begun, stop } = housekept();
  for (let at = 0; at < 3; at += 1) consider(1, { looseObjects: 9, packs: 2 });
  consider(2, { looseObjects: 10, packs: 0 });
  await begun(1);
  expect(runs[0]!.projectId).toBe(2);
  await stop();
});

test('packing can be switched off', () => {
  expect(housekept('off').housekeeping).toBe(NO_HOUSEKEEPING);
  expect(NO_HOUSEKEEPING.request(1)).toBe('off');
});

test('a repository is packed when people ask, once at a time, however small it is', async () => {
  const { request, runs, begun, stop } = housekept();
  expect([request(1), request(1), request(2)]).toEqual(['queued', 'running', 'queued']);
  await begun(1);
  expect(request(1)).toBe('running');
  runs[0]!.end(PACKED);
  await begun(2);
  expect(request(1)).toBe('queued');
  runs[1]!.end(new Error('disk full'));
  await begun(3);
  expect(runs.map(({ projectId }) => projectId)).toEqual([1, 2, 1]);
  runs[2]!.end({ looseObjects: 0, packs: 0 });
  await expect.poll(() => request(2)).toBe('queued');
  await stop();
});

test('repositories are packed one at a time, and each is queued once', async () => {
  const { consider, runs, begun, info, metrics, stop } = housekept();
  consider(1, { looseObjects: 10, packs: 0 });
  await begun(1);
  consider(2, { looseObjects: 0, packs: 3 });
  consider(2, { looseObjects: 0, packs: 4 });
  consider(3, { looseObjects: 99, packs: 0 });
  runs[0]!.end(PACKED);
  await begun(2);
  runs[1]!.end({ looseObjects: 0, packs: 3 });
  await begun(3);
  expect(runs.map(({ projectId }) => projectId)).toEqual([1, 2, 3]);
  expect(info.mock.calls.map(([fields, text]) => [fields, text])).toEqual([
    [{ projectId: 1, ...PACKED, seconds: expect.any(Number) }, 'repository packed'],
    [{ projectId: 2, looseObjects: 0, packs: 3, seconds: expect.any(Number) }, 'repository packed'],
  ]);
  const text = await metrics.text();
  expect(text).toContain('forgelog_packing_duration_seconds_count{outcome="packed"} 2\n');
  expect(text).toContain('forgelog_packed_objects_total 12\n');
  await stop();
});

test('a repository that grew while it was packed is packed again', async () => {
  const { consider, runs, begun, stop } = housekept();
  consider(1, { looseObjects: 10, packs: 0 });
  await begun(1);
  consider(1, { looseObjects: 11, packs: 0 });
  runs[0]!.end(PACKED);
  await begun(2);
  await stop();
});

test('a failure is logged once and not retried for an hour', async () => {
  const { consider, runs, begun, error, pass, metrics, stop } = housekept();
  consider(1, { looseObjects: 10, packs: 0 });
  await begun(1);
  runs[0]!.end(new Error('disk full'));
  await expect.poll(() => error.mock.calls.length).toBe(1);
  expect(await metrics.text()).toContain('forgelog_packing_duration_seconds_count{outcome="failed"} 1\n');
  consider(1, { looseObjects: 10, packs: 0 });
  consider(2, { looseObjects: 10, packs: 0 });
  await begun(2);
  expect(runs[1]!.projectId).toBe(2);
  runs[1]!.end(PACKED);
  pass(3_600_000);
  consider(1, { looseObjects: 10, packs: 0 });
  await begun(3);
  await stop();
});

test('a failure is not logged if the project was deleted', async () => {
  const { consider, runs, begun, error, remove, stop } = housekept();
  consider(1, { looseObjects: 10, packs: 0 });
  await begun(1);
  remove();
  runs[0]!.end(new Error('gone'));
  await stop();
  expect(error).not.toHaveBeenCalled();
});

test('stop cancels the running packing, starts no other and logs no failure', async () => {
  const { consider, runs, begun, error, stop } = housekept();
  consider(1, { looseObjects: 10, packs: 0 });
  consider(2, { looseObjects: 10, packs: 0 });
  await begun(1);
  await stop();
  consider(3, { looseObjects: 10, packs: 0 });
  await stop();
  expect(runs.map(({ signal }) => signal.aborted)).toEqual([true]);
  expect(error).not.toHaveBeenCalled();
});
