import { RefUpdated } from '@forgelog/contracts/repo/repositories/repository.events.ts';
import type { RecordedEvent } from '@forgelog/eventing/event.ts';
import { GitError } from '@forgelog/git/errors.ts';
import { expect, test, vi } from 'vitest';
import { ONE_STORAGE } from '../projects/storages.ts';
import type { Repositories } from './repositories.ts';
import { repositoryStatistics } from './repository-statistics.policy.ts';

const NOW = '2026-01-01T00:00:01.000Z';

function policyWhere(repository: { isDeleted: boolean; failure?: Error }) {
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
      idle: async () => {},
      isDeleted: async () => repository.isDeleted,
      of: () => ({
        resolveRevision: () => Promise.reject(repository.failure ?? new Error('git failed')),
      }),
    } as unknown as Repositories,
  });
  const event = { id: 'e1', type: RefUpdated.type, time: NOW, data: { projectId: 1 }, metadata: {} };
  const ending = new AbortController();
  const react = () => policy.react(event as unknown as RecordedEvent, ending.signal);
  return { error, read, react, ending };
}

test('a failure is not logged if the repository was deleted meanwhile', async () => {
  const { react, error } = policyWhere({ isDeleted: true });
  await react();
  expect(error).not.toHaveBeenCalled();
});

test('a failed measurement is logged and does not stop the policy', async () => {
  const { react, error } = policyWhere({ isDeleted: false });
  await react();
  expect(error).toHaveBeenCalledOnce();
});

test('a burst of moves is measured once', async () => {
  const { react, read, error } = policyWhere({ isDeleted: false });
  const measured = react();
  read.lastRefEvent = 'e2';
  await measured;
  expect(error).not.toHaveBeenCalled();
});

test('a repository that never rests is measured after many moves', async () => {
  const { react, read, error } = policyWhere({ isDeleted: false });
  read.lastRefEvent = 'e2';
  await Promise.all(Array.from({ length: 999 }, react));
  expect(error).toHaveBeenCalledOnce();
});

test('a measurement interrupted by a stop is left to the next start and not logged', async () => {
  const closed = new GitError('closed', 'git is closed');
  const { react, error, ending } = policyWhere({ isDeleted: false, failure: closed });
  const reacting = expect(react()).rejects.toBe(closed);
  ending.abort();
  await reacting;
  expect(error).not.toHaveBeenCalled();
});
