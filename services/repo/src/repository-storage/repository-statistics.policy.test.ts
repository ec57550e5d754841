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
      settled: async () => {},
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

test('a repository that was deleted while it was measured is nobody’s trouble', async () => {
  const { react, error } = policyWhere({ isDeleted: true });
  await react();
  expect(error).not.toHaveBeenCalled();
});

test('one that is there and cannot be measured is told of, and holds up nobody', async () => {
  const { react, error } = policyWhere({ isDeleted: false });
  await react();
  expect(error).toHaveBeenCalledOnce();
});

test('of moves that follow one another only the last one is measured', async () => {
  const { react, read, error } = policyWhere({ isDeleted: false });
  const measured = react();
  read.lastRefEvent = 'e2';
  await measured;
  expect(error).not.toHaveBeenCalled();
});

test('one that never rests is measured all the same after many moves', async () => {
  const { react, read, error } = policyWhere({ isDeleted: false });
  read.lastRefEvent = 'e2';
  await Promise.all(Array.from({ length: 999 }, react));
  expect(error).toHaveBeenCalledOnce();
});

test('one that a stop came before is left to the next start, without a word', async () => {
  const closed = new GitError('closed', 'git is closed');
  const { react, error, ending } = policyWhere({ isDeleted: false, failure: closed });
  const reacting = expect(react()).rejects.toBe(closed);
  ending.abort();
  await reacting;
  expect(error).not.toHaveBeenCalled();
});
