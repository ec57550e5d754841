import { nameDecider, routeStream } from '@forgelog/directory/name.decider.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { userCreated } from '@forgelog/testing/sample-events.ts';
import { expect, test } from 'vitest';
import { startRepoSlices } from '../testing/start-repo-slices.ts';
import { projectDecider, projectStream } from './project.decider.ts';
import { projectSlice } from './project.slice.ts';
import { projectCreation } from './project-creation.commands.ts';
import { projectUpdate, type WantedChanges } from './project-update.commands.ts';

const principal = { userId: 1, username: 'user1', isAdmin: false } as Principal;

/** Two projects of one user, `one` and `two`. */
async function started() {
  const { repo, ports, commit } = await startRepoSlices([projectSlice], [userCreated(1)]);
  const { create } = projectCreation(repo);
  const make = (name: string) =>
    create(
      {
        ...{ name, path: name, namespaceId: undefined, description: null, visibility: 'private' },
        ...{ settings: {}, storage: undefined, defaultBranch: undefined, withReadme: false },
      },
      principal,
      SYSTEM_METADATA,
    );
  const [one, two] = [await make('one'), await make('two')];
  const update = projectUpdate(repo);
  const change = async (id: number, wanted: Partial<WantedChanges>, level = 50) =>
    update(
      { project: (await ports.directory.project(id))!, level } as unknown as ProjectGrant,
      { settings: () => ({}), ...wanted } as WantedChanges,
      SYSTEM_METADATA,
    );
  const nameOf = async (id: number) => {
    const { state } = await ports.commands.load(projectDecider, projectStream(id));
    return state.status === 'present' ? [state.name, state.path] : state.status;
  };
  return { repo, ports, commit, change, nameOf, one, two };
}

test('a name that was left is free at once, and one that is taken is refused', async () => {
  const { change, nameOf, one, two } = await started();
  await expect(change(one, { path: 'two' })).rejects.toMatchObject({
    body: { message: { path: ['has already been taken'] } },
  });
  await expect(change(one, { name: 'two' })).rejects.toMatchObject({
    body: { message: { name: ['has already been taken'] } },
  });
  expect(await nameOf(one)).toEqual(['one', 'one']);
  await change(two, { name: 'three', path: 'three' });
  await change(one, { name: 'two', path: 'two' });
  expect([await nameOf(one), await nameOf(two)]).toEqual([
    ['two', 'two'],
    ['three', 'three'],
  ]);
});

test('of two projects that want one path at once one gets it', async () => {
  const { change, nameOf, one, two } = await started();
  const changed = await Promise.allSettled([change(one, { path: 'fresh' }), change(two, { path: 'fresh' })]);
  expect(changed.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const paths = [(await nameOf(one))[1], (await nameOf(two))[1]];
  expect(paths.filter((path) => path === 'fresh')).toHaveLength(1);
});

test('a refused change claims no name, not even for a moment', async () => {
  const { ports, change, one, two } = await started();
  const wrong = { path: 'fresh', description: 'x'.repeat(2001) };
  await expect(change(one, wrong)).rejects.toMatchObject({ code: 'validation_failed' });
  // A claim that was given up again would leave events, and would make others wait.
  expect((await ports.commands.load(nameDecider, routeStream(1001, 'fresh'))).revision).toBeNull();
  await change(two, { path: 'fresh' });
  expect((await ports.commands.load(nameDecider, routeStream(1001, 'fresh'))).revision).toBe(0);
});

test('maintainers change neither name nor path nor who sees it', async () => {
  const { change, one } = await started();
  for (const wanted of [{ name: 'x' }, { path: 'x' }, { visibility: 'public' as const }])
    await expect(change(one, wanted, 40)).rejects.toMatchObject({ code: 'forbidden' });
  await change(one, { name: 'one', path: 'one', visibility: 'private', description: 'Hello' }, 40);
});

test('the default branch is one of the repository, whose HEAD follows', async () => {
  const { change, repo, commit, one } = await started();
  await expect(change(one, { defaultBranch: 'trunk' })).rejects.toMatchObject({
    body: { message: { default_branch: [expect.stringContaining("a branch named 'trunk'")] } },
  });
  await expect(change(one, { defaultBranch: 'a..b' })).rejects.toMatchObject({ code: 'validation_failed' });
  await commit(one, 'trunk', { 'a.txt': 'a' });
  await change(one, { defaultBranch: 'trunk' });
  expect(await repo.repositories.of(one).defaultBranch()).toBe('trunk');
});
