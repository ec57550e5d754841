import { createProject, getProject, transferProject } from '@forgelog/contracts/repo/projects/project.api.ts';
import { on, projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { expect, test } from 'vitest';
import { startRepoSlices } from '../testing/start-repo-slices.ts';
import { projectSlice } from './project.slice.ts';

const [OWNER, MAINTAINER, OUTSIDER, ADMINISTRATOR] = [1, 2, 3, 4] as const;
const [GROUP, HIDDEN, BELOW] = [50, 60, 51] as const;

const group = (groupId: number, visibility: string, parentId: number | null = null) =>
  on(`group-${groupId}`, {
    type: 'GroupCreated',
    data: {
      ...{ groupId, parentId, name: `Group ${groupId}`, path: `group${groupId}`, description: '' },
      fullPath: parentId === null ? `group${groupId}` : `group${parentId}/group${groupId}`,
      ...{ visibility, creatorId: null, ownerId: null, settings: {} },
    },
  });
const joined = (groupId: number, userId: number, accessLevel: number) =>
  on(`group-${groupId}`, {
    type: 'GroupMemberAdded',
    data: { groupId, userId, accessLevel, expiresAt: null, reason: 'added' },
  });
const taken = projectCreated(9, { ownerId: ADMINISTRATOR });
const given = [
  ...[OWNER, MAINTAINER, OUTSIDER].map((id) => userCreated(id)),
  userCreated(ADMINISTRATOR, { admin: true }),
  projectCreated(7, { visibility: 'public' }),
  group(GROUP, 'private'),
  group(BELOW, 'private', GROUP),
  group(HIDDEN, 'private'),
  joined(GROUP, OWNER, 50),
  joined(GROUP, MAINTAINER, 40),
];

async function start(more: typeof given = []) {
  const running = await startRepoSlices([projectSlice], [...given, ...more]);
  const { call } = running;
  return {
    ...running,
    transfer: (namespace: string | number, as: number = OWNER) =>
      call(transferProject, { id: 7, namespace }, as),
  };
}

test('a project moves to a group and back, with its rights and its path', async () => {
  const { transfer, call, ports } = await start();
  const moved = await transfer(`group${GROUP}/group${BELOW}`);
  expect(moved).toMatchObject({
    status: 200,
    body: {
      ...{ path_with_namespace: 'group50/group51/project7', owner: null, visibility: 'private' },
      namespace: { id: BELOW, kind: 'group' },
    },
  });
  expect(moved.events.filter(({ type }) => type.startsWith('Project'))).toEqual([
    {
      type: 'ProjectTransferred',
      data: {
        ...{ projectId: 7, ownerId: null, previousOwnerId: OWNER, fullPath: 'group50/group51/project7' },
        changes: { namespaceId: BELOW, ownerId: null, visibility: 'private' },
        previous: { namespaceId: 1000 + OWNER, ownerId: OWNER, visibility: 'public' },
      },
    },
  ]);
  expect((await call(getProject, { id: 7 }, MAINTAINER)).status).toBe(200);
  expect((await call(getProject, { id: 7 }, OUTSIDER)).status).toBe(404);
  expect((await ports.directory.projectByFormerPath('user1/project7'))?.id).toBe(7);
  const back = await transfer('user1');
  expect(back).toMatchObject({ status: 200, body: { owner: { id: OWNER }, namespace: { kind: 'user' } } });
  expect((await call(getProject, { id: 7 }, MAINTAINER)).status).toBe(404);
});

test('the old path is free for another project, and the new one is not', async () => {
  const { transfer, call } = await start();
  await transfer(GROUP);
  const create = (params: object) => call(createProject, { path: 'project7', ...params }, OWNER);
  expect(await create({ namespace_id: GROUP })).toMatchObject({ status: 400 });
  const next = await create({});
  expect(next).toMatchObject({ status: 201, body: { path_with_namespace: 'user1/project7' } });
  expect((await transfer('user1')).status).toBe(400);
});

test('what is wrong with a transfer is said, and changes nothing', async () => {
  const { transfer, call } = await start([taken]);
  for (const [namespace, as, status] of [
    ['group999', OWNER, 404],
    [HIDDEN, OWNER, 404],
    [1000 + OWNER, OWNER, 400], // where it is
    [1000 + OUTSIDER, OWNER, 400],
    ['', OWNER, 404],
    [GROUP, MAINTAINER, 403],
  ] as const)
    expect(await transfer(namespace, as), `${namespace}`).toMatchObject({ status, events: [] });
  expect(await call(transferProject, { id: 99, namespace: GROUP }, OWNER)).toMatchObject({ status: 404 });
});

test('a name that is taken there is refused, and the project stays', async () => {
  const named = on('project-8', {
    type: 'ProjectCreated',
    data: {
      ...(projectCreated(8).event.data as object),
      ...{ namespaceId: GROUP, ownerId: null, name: 'project7', path: 'other', fullPath: 'group50/other' },
    },
  });
  const { transfer, call } = await start([named]);
  expect(await transfer(GROUP)).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('already exists') },
  });
  expect((await call(getProject, { id: 7 }, OWNER)).body.path_with_namespace).toBe('user1/project7');
});
