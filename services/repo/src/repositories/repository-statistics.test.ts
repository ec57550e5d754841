import { RefUpdated } from '@forgelog/contracts/repo/repository.events.ts';
import type { RecordedEvent } from '@forgelog/eventing/event.ts';
import { expect, test, vi } from 'vitest';
import { ONE_STORAGE } from '../projects/storages.ts';
import type { Repositories } from './repositories.ts';
import { repositoryStatistics } from './repository-statistics.ts';

const NOW = '2026-01-01T00:00:01.000Z';

function policyWhere(repository: { exists: boolean }) {
  const error = vi.fn();
  const read = { lastRefEvent: 'e1' };
  const { policy } = repositoryStatistics({
    commands: {} as never,
    readStore: {
      get: async () => ({ gone: false, repositoryStorage: 'default', ...read }),
    } as never,
    log: { error } as never,
    clock: () => new Date(NOW),
    storages: ONE_STORAGE,
    measured: () => {},
    repositories: {
      settled: async () => {},
      of: () => ({
        exists: async () => repository.exists,
        resolveRevision: () => Promise.reject(new Error('git failed')),
      }),
    } as unknown as Repositories,
  });
  const event = { id: 'e1', type: RefUpdated.type, time: NOW, data: { projectId: 1 }, metadata: {} };
  return { error, read, react: () => policy.react(event as unknown as RecordedEvent) };
}

test('a repository that was deleted while it was measured is nobody’s trouble', async () => {
  const { react, error } = policyWhere({ exists: false });
  await react();
  expect(error).not.toHaveBeenCalled();
});

test('one that is there and cannot be measured is told of, and holds up nobody', async () => {
  const { react, error } = policyWhere({ exists: true });
  await react();
  expect(error).toHaveBeenCalledOnce();
});

test('of moves that follow one another only the last one is measured', async () => {
  const { react, read, error } = policyWhere({ exists: true });
  const measured = react();
  read.lastRefEvent = 'e2';
  await measured;
  expect(error).not.toHaveBeenCalled();
});

test('one that never rests is measured all the same after many moves', async () => {
  const { react, read, error } = policyWhere({ exists: true });
  read.lastRefEvent = 'e2';
  await Promise.all(Array.from({ length: 999 }, react));
  expect(error).toHaveBeenCalledOnce();
});
