import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { on, userCreated } from '@forgelog/testing/sample-events.ts';
import { expect, test } from 'vitest';
import { startRepoSlices } from '../testing/start-repo-slices.ts';
import { projectDecider, projectStream } from './project.decider.ts';
import { projectSlice } from './project.slice.ts';
import { type Creation, projectCreation } from './project-creation.commands.ts';

const principal = {
  ...{ userId: 1, username: 'user1', name: 'User 1', email: 'user1@example.org', isAdmin: false },
} as Principal;
const creation: Creation = {
  ...{ name: 'New one', path: 'new-one', namespaceId: undefined, description: null, visibility: 'private' },
  ...{ settings: {}, storage: undefined, defaultBranch: undefined, withReadme: false },
};

async function started(profile = {}) {
  const { event } = userCreated(1);
  const owner = on('user-1', { ...event, data: { ...(event.data as object), profile } });
  const { repo, ports } = await startRepoSlices([projectSlice], [owner, userCreated(2)]);
  const statusOf = async (id: number) =>
    (await ports.commands.load(projectDecider, projectStream(id))).state.status;
  const storages = { own: 'default', all: ['default', 'second'] };
  /** Creates with a log that may fail around the project's event. */
  const failing = (fault: (append: 'before' | 'after') => void) => {
    const handle: typeof ports.commands.handle = async (decider, ...more) => {
      const isProject: boolean = Object.is(decider, projectDecider);
      if (isProject) fault('before');
      const handled = await ports.commands.handle(decider, ...more);
      if (isProject) fault('after');
      return handled;
    };
    return projectCreation({ ...repo, storages, commands: { ...ports.commands, handle } }).create;
  };
  return { repo, ports, statusOf, failing, ...projectCreation({ ...repo, storages }) };
}

test('a project has its repository before it is there, on the branch that was asked for', async () => {
  const { create, repo, statusOf } = await started();
  const wanted = { ...creation, defaultBranch: 'trunk', withReadme: true };
  const id = await create(wanted, principal, SYSTEM_METADATA);
  expect(await statusOf(id)).toBe('present');
  const repository = repo.repositories.of(id);
  expect(await repository.defaultBranch()).toBe('trunk');
  expect(await repository.readRef('refs/heads/trunk')).toMatch(/^[0-9a-f]{40}$/);
});

test.each([
  ['a namespace of another', { namespaceId: 1002 }, { namespace: ['is not valid'] }],
  ['a namespace that is missing', { namespaceId: 9 }, { namespace: ['is not valid'] }],
  ['an impossible branch', { defaultBranch: 'a..b' }, { default_branch: ['is invalid'] }],
  ['an unknown storage', { storage: 'third' }, { repository_storage: ['is not included in the list'] }],
])('%s is refused before an id or a name is taken', async (_, wrong, message) => {
  const { check, create, ports } = await started();
  const refused = { code: 'validation_failed', body: { message } };
  await expect(check({ ...creation, ...wrong }, principal)).rejects.toMatchObject(refused);
  await expect(create({ ...creation, ...wrong }, principal, SYSTEM_METADATA)).rejects.toMatchObject(refused);
  expect(await ports.ids.next('project')).toBe(1);
  await check(creation, principal);
});

test('a storage that another instance holds is answered as unavailable', async () => {
  const { check } = await started();
  await expect(check({ ...creation, storage: 'second' }, principal)).rejects.toMatchObject({ status: 503 });
});

test('one project more than the owner may have is refused', async () => {
  const { check, create } = await started({ projects_limit: 1 });
  await create(creation, principal, SYSTEM_METADATA);
  const second = { ...creation, name: 'Second', path: 'second' };
  await expect(check(second, principal)).rejects.toMatchObject({ status: 403, code: 'limit_reached' });
});

test.each([
  ['name and path', {}, { name: [expect.any(String)], path: [expect.any(String)] }],
  ['path', { name: 'Other' }, { path: ['has already been taken'] }],
  ['name', { path: 'other' }, { name: ['has already been taken'] }],
])('a %s that is taken is named', async (_, more, message) => {
  const { check, create } = await started();
  await create(creation, principal, SYSTEM_METADATA);
  await expect(check({ ...creation, ...more }, principal)).rejects.toMatchObject({
    body: { message: { ...message, limit_reached: [] } },
  });
});

test('of many at once one has the name, and the others leave no project and no repository', async () => {
  const { create, repo, statusOf } = await started();
  const made = await Promise.allSettled(
    Array.from({ length: 5 }, () => create(creation, principal, SYSTEM_METADATA)),
  );
  const [first, ...others] = made.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  expect(others).toEqual([]);
  for (const one of made)
    if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'validation_failed' });
  for (const id of [1, 2, 3, 4, 5]) {
    expect([id, await repo.repositories.of(id).exists()]).toEqual([id, id === first]);
    expect((await statusOf(id)) === 'present').toBe(id === first);
  }
});

test('a creation that breaks off takes its repository along, and its names are free', async () => {
  const { create, failing, repo, statusOf } = await started();
  const lost = new Error('the log is away');
  const broken = failing((append) => {
    if (append === 'before') throw lost;
  });
  await expect(broken(creation, principal, SYSTEM_METADATA)).rejects.toBe(lost);
  expect([await statusOf(1), await repo.repositories.of(1).exists()]).toEqual(['abandoned', false]);
  expect(await create(creation, principal, SYSTEM_METADATA)).toBe(2);
});

test('a project that is in the log keeps its repository, though its answer was lost', async () => {
  const { failing, repo, statusOf } = await started();
  const lost = new Error('the answer is lost');
  const broken = failing((append) => {
    if (append === 'after') throw lost;
  });
  await expect(broken(creation, principal, SYSTEM_METADATA)).rejects.toBe(lost);
  expect([await statusOf(1), await repo.repositories.of(1).exists()]).toEqual(['present', true]);
});
