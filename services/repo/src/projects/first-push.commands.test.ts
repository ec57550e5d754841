import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { expect, test } from 'vitest';
import { startRepoSlices } from '../testing/start-repo-slices.ts';
import { firstPushes } from './first-push.commands.ts';
import { projectDecider, projectStream } from './project.decider.ts';
import { projectSlice } from './project.slice.ts';
import { projectCreation } from './project-creation.commands.ts';

const pusher = { userId: 1, username: 'user1', isAdmin: false } as Principal;
const administrator = { userId: 3, username: 'user3', isAdmin: true } as Principal;

async function started() {
  const { ports, repo } = await startRepoSlices(
    [projectSlice],
    [userCreated(1), userCreated(2), userCreated(3, { admin: true }), projectCreated(7)],
  );
  const first = firstPushes({ ...repo, creation: projectCreation(repo) });
  const load = async (id: number) => (await ports.commands.load(projectDecider, projectStream(id))).state;
  return { first, load, repo, ports };
}

test('a planned project is private, without README, under the name that the path ends with', async () => {
  const { first } = await started();
  expect(await first.plan('user1/new-one', pusher)).toMatchObject({
    ...{ name: 'new-one', path: 'new-one', namespaceId: 1001, visibility: 'private', withReadme: false },
  });
  // Capitals of the namespace are of no matter.
  expect(await first.plan('USER1/new-one', pusher)).toMatchObject({ namespaceId: 1001 });
  expect(await first.plan('user2/new-one', administrator)).toMatchObject({ namespaceId: 1002 });
});

test.each([
  ['the namespace of another', 'user2/new-one'],
  ['a namespace that is missing', 'nobody/new-one'],
  ['no namespace', 'new-one'],
  ['the wiki beside a project', 'user1/project7.wiki'],
  ['the designs beside a project', 'user1/project7.DESIGN'],
])('a plan in %s is not found', async (_, path) => {
  const { first } = await started();
  await expect(first.plan(path, pusher)).rejects.toMatchObject({
    code: 'not_found',
    body: { message: '404 Project Not Found' },
  });
});

test('what would be refused is refused in a line that git prints', async () => {
  const { first } = await started();
  const refused = (path: string, problem: string) =>
    expect(first.plan(path, pusher)).rejects.toMatchObject({
      code: 'unprocessable',
      body: { message: `Could not create project: ${problem}` },
    });
  await refused('user1/blob', 'Path blob is a reserved name');
  await first.make(await first.plan('user1/taken', pusher), await first.reserve(), pusher, SYSTEM_METADATA);
  await refused('user1/taken', 'Name has already been taken, Path has already been taken');
});

test('makes the project under the reserved id, and tells the pusher where it is', async () => {
  const { first, load, repo } = await started();
  const creation = await first.plan('user1/new-one', pusher);
  const id = await first.reserve();
  expect((await load(id)).status).not.toBe('present');
  const message = await first.make(creation, id, pusher, SYSTEM_METADATA);
  expect(message.split('\n')).toEqual([
    ...['', 'The private project user1/new-one was successfully created.', ''],
    ...[
      'To configure the remote, run:',
      '  git remote add origin http://forgelog.test/user1/new-one.git',
      '',
    ],
    ...['To view the project, visit:', '  http://forgelog.test/user1/new-one', ''],
  ]);
  expect(await load(id)).toMatchObject({ status: 'present', visibility: 'private' });
  expect(await repo.repositories.of(id).exists()).toBe(true);
});

test('of two pushes to one path the second is refused, and leaves nothing', async () => {
  const { first, load } = await started();
  const creation = await first.plan('user1/new-one', pusher);
  const [one, two] = [await first.reserve(), await first.reserve()];
  await first.make(creation, one, pusher, SYSTEM_METADATA);
  await expect(first.make(creation, two, pusher, SYSTEM_METADATA)).rejects.toMatchObject({
    body: { message: expect.stringContaining('Path has already been taken') },
  });
  expect((await load(two)).status).not.toBe('present');
});

test('takes a project back whose push failed, and only one that was made', async () => {
  const { first, load } = await started();
  const id = await first.reserve();
  expect(await first.takeBack(id, SYSTEM_METADATA)).toBe(false);
  await first.make(await first.plan('user1/new-one', pusher), id, pusher, SYSTEM_METADATA);
  expect(await first.takeBack(id, SYSTEM_METADATA)).toBe(true);
  expect((await load(id)).status).toBe('deleted');
  expect(await first.takeBack(id, SYSTEM_METADATA)).toBe(false);
});
