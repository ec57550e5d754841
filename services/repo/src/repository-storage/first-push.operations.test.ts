import { advertiseFirstPush } from '@forgelog/contracts/repo/projects/first-push.operations.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { userCreated } from '@forgelog/testing/sample-events.ts';
import { expect, test } from 'vitest';
import type { RepoPorts } from '../ports.ts';
import { firstPushes } from '../projects/first-push.commands.ts';
import { projectCreation } from '../projects/project-creation.commands.ts';
import { projectsProjection } from '../projects/projects.projection.ts';
import { startRepoSlices } from '../testing/start-repo-slices.ts';
import { firstPushOperations } from './first-push.operations.ts';

const slice = defineSlice<RepoPorts>({
  projections: [projectsProjection],
  operations: [
    (ports) =>
      firstPushOperations({
        first: firstPushes({ ...ports, creation: projectCreation(ports) }),
        repositories: ports.repositories,
      }),
  ],
});

const pusher = { userId: 1, isAdmin: false } as Principal;

async function started() {
  const { ports } = await startRepoSlices([slice], [userCreated(1), userCreated(2)]);
  return (path: string, principal: Principal | null = pusher) =>
    ports.operations.call(advertiseFirstPush, { path, protocol: null }, { principal });
}

test('a push to a free address of the own namespace finds an empty repository', async () => {
  const advertise = await started();
  const { advertisement } = await advertise('user1/new-one');
  const lines = Buffer.from(advertisement, 'base64').toString();
  expect(lines).toContain(`${'0'.repeat(40)} capabilities^{}`);
  expect(lines).toContain('report-status');
});

test('who may make nothing there is told that there is nothing', async () => {
  const advertise = await started();
  const nothing = { code: 'not_found', body: { message: '404 Project Not Found' } };
  await expect(advertise('user1/new-one', null)).rejects.toMatchObject(nothing);
  for (const path of ['user2/new-one', 'nobody/new-one', 'user1/new-one.wiki'])
    await expect(advertise(path)).rejects.toMatchObject(nothing);
});

test('what can have no such path is refused in words', async () => {
  const advertise = await started();
  await expect(advertise('user1/blob')).rejects.toMatchObject({
    code: 'unprocessable',
    body: { message: 'Could not create project: Path blob is a reserved name' },
  });
});
