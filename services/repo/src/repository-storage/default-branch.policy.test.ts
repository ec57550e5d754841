import { RefUpdated } from '@forgelog/contracts/repo/repositories/repository.events.ts';
import { type RecordedEvent, SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { expect, test, vi } from 'vitest';
import { ONE_STORAGE } from '../projects/storages.ts';
import { defaultBranches } from './default-branch.policy.ts';

test.each([
  ['second', true],
  ['default', false],
])('the policy of storage second looks into a new repository of %s: %s', async (storage, looks) => {
  const of = vi.fn(() => ({ defaultBranch: async () => 'main', readRef: async () => 'a'.repeat(40) }));
  const handle = vi.fn(async () => ({ state: { status: 'present', defaultBranch: 'main' } }));
  const { policy } = defaultBranches({
    commands: { handle } as never,
    directory: { project: async () => ({ id: 7, storage, defaultBranch: null }) } as never,
    repositories: { idle: async () => {}, of } as never,
    storages: { own: 'second', all: ['default', 'second'] },
  });
  const move = { projectId: 7, ref: 'refs/heads/main', oldOid: '0'.repeat(40), newOid: 'a'.repeat(40) };
  const event = { id: 'e1', type: RefUpdated.type, data: move, metadata: {} } as unknown as RecordedEvent;
  await policy.react(event, new AbortController().signal);
  expect(of).toHaveBeenCalledTimes(looks ? 1 : 0);
  expect(handle).toHaveBeenCalledTimes(looks ? 1 : 0);
});

test('a ref that a fork begins with chooses nothing', async () => {
  const { policy } = defaultBranches({} as never);
  const data = { projectId: 7, via: 'fork' };
  const event = { id: 'e1', type: RefUpdated.type, data, metadata: {} } as unknown as RecordedEvent;
  await policy.react(event, new AbortController().signal);
});

test.each([true, false])(
  'an unreadable repository fails the policy unless its project was deleted: %s',
  async (isDeleted) => {
    const failure = new Error('no such file or directory');
    const { chooseFirst } = defaultBranches({
      commands: {} as never,
      directory: { project: async () => ({ id: 7, storage: 'default', defaultBranch: null }) } as never,
      repositories: {
        of: () => ({ defaultBranch: () => Promise.reject(failure) }),
        isDeleted: async () => isDeleted,
      } as never,
      storages: ONE_STORAGE,
    });
    const move = { ref: 'refs/heads/main', oldOid: '0'.repeat(40), newOid: 'a'.repeat(40) };
    const chosen = chooseFirst(7, [move], () => SYSTEM_METADATA);
    await (isDeleted ? chosen : expect(chosen).rejects.toBe(failure));
  },
);
