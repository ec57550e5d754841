import {
  groupVariables,
  instanceVariables,
  projectVariables,
} from '@forgelog/contracts/ci/ci-variables/ci-variable.api.ts';
import { createSealer } from '@forgelog/service-kit/sealed.ts';
import { memberAdded, on, projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { ciVariableSlice } from './ci-variable.slice.ts';
import { variablesForJobs } from './variables-for-jobs.query.ts';

const OWNER = 1;
const MAINTAINER = 2;
const DEVELOPER = 3;
const OUTSIDER = 4;
const ADMIN = 5;
const group = (groupId: number, parentId: number | null) =>
  on(`group-${groupId}`, {
    type: 'GroupCreated',
    data: {
      ...{ groupId, parentId, name: `g${groupId}`, path: `g${groupId}`, description: '', settings: {} },
      fullPath: parentId === null ? `g${groupId}` : `g${parentId}/g${groupId}`,
      ...{ visibility: 'private', creatorId: OWNER, ownerId: OWNER },
    },
  });
const given = [
  ...[OWNER, MAINTAINER, DEVELOPER, OUTSIDER].map((id) => userCreated(id)),
  userCreated(ADMIN, { admin: true }),
  projectCreated(7),
  memberAdded(7, MAINTAINER, 40),
  memberAdded(7, DEVELOPER, 30),
  group(50, null),
  group(51, 50),
  on('group-50', {
    type: 'GroupMemberAdded',
    data: { groupId: 50, userId: MAINTAINER, accessLevel: 40, expiresAt: null, reason: 'added' },
  }),
];
const start = () => startSlices([ciVariableSlice], given);
const value = 'the-value-of-it';

test('a maintainer adds, reads, changes and deletes a variable, whose value no event tells', async () => {
  const { call } = await start();
  const created = await call(projectVariables.create, { id: 7, key: 'KEY', value, masked: true }, MAINTAINER);
  const body = { variable_type: 'env_var', key: 'KEY', value, protected: false, masked: true };
  expect(created).toMatchObject({ status: 201, body: { ...body, environment_scope: '*' } });
  const one = { id: 7, key: 'KEY' };
  expect((await call(projectVariables.get, one, MAINTAINER)).body).toEqual(created.body);
  expect((await call(projectVariables.list, { id: 7 }, MAINTAINER)).body).toEqual([created.body]);
  const changes = { value: 'line 1\nline 2', masked: false, variable_type: 'file' };
  const changed = await call(projectVariables.update, { ...one, ...changes }, MAINTAINER);
  expect(changed).toMatchObject({ status: 200, body: { ...changes, environment_scope: '*' } });
  const told = JSON.stringify([...created.events, ...changed.events]);
  expect(told).not.toContain(value);
  expect(told).not.toContain('line 1');
  expect((await call(projectVariables.update, one, MAINTAINER)).events).toEqual([]);
  expect((await call(projectVariables.delete, one, MAINTAINER)).status).toBe(204);
  expect(await call(projectVariables.get, one, MAINTAINER)).toMatchObject({
    status: 404,
    body: { message: '404 Variable Not Found' },
  });
});

test('variables of one key are told apart by their environment scope', async () => {
  const { call } = await start();
  for (const environment_scope of ['*', 'production'])
    await call(
      projectVariables.create,
      { id: 7, key: 'KEY', value: environment_scope, environment_scope },
      OWNER,
    );
  const one = { id: 7, key: 'KEY' };
  expect(await call(projectVariables.get, one, OWNER)).toMatchObject({ status: 409 });
  const production = { ...one, 'filter[environment_scope]': 'production' };
  expect((await call(projectVariables.get, production, OWNER)).body).toMatchObject({ value: 'production' });
  const moved = await call(
    projectVariables.update,
    { ...one, environment_scope: 'staging', filter: { environment_scope: 'production' } },
    OWNER,
  );
  expect(moved.body).toMatchObject({ value: 'production', environment_scope: 'staging' });
  expect((await call(projectVariables.delete, production, OWNER)).status).toBe(404);
});

test('values are for those who maintain the project, own the group or administer the instance', async () => {
  const { call } = await start();
  const statuses = async (endpoint: Parameters<typeof call>[0], params: Record<string, unknown>) => {
    const replies = [];
    for (const caller of [ADMIN, OWNER, MAINTAINER, DEVELOPER, OUTSIDER, null])
      replies.push((await call(endpoint, params, caller)).status);
    return replies;
  };
  expect(await statuses(projectVariables.list, { id: 7 })).toEqual([200, 200, 200, 403, 404, 401]);
  expect(await statuses(groupVariables.list, { id: 50 })).toEqual([200, 200, 403, 404, 404, 401]);
  expect(await statuses(instanceVariables.list, {})).toEqual([200, 403, 403, 403, 403, 401]);
});

test('a variable of the instance has no environment scope', async () => {
  const { call } = await start();
  const { body } = await call(instanceVariables.create, { key: 'KEY', value: '' }, ADMIN);
  expect(body).toEqual({
    variable_type: 'env_var',
    key: 'KEY',
    value: '',
    protected: false,
    masked: false,
  });
});

test('invalid input is refused and changes nothing', async () => {
  const { call } = await start();
  const create = (params: object) => call(projectVariables.create, { id: 7, ...params }, OWNER);
  const refused = [
    await create({}),
    await create({ key: 'A B', value }),
    await create({ key: 'KEY', value: 'short', masked: true }),
    await create({ key: 'KEY', value, variable_type: 'secret' }),
  ];
  expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
  expect(refused[0]!.body).toEqual({ error: 'key is missing, value is missing' });
  expect(refused[2]!.body).toEqual({ message: { value: ['is invalid'] } });
  expect(refused.flatMap(({ events }) => events)).toEqual([]);
});

test('jobs get the variables of each level with their values, and protected ones only where they may', async () => {
  const { call, ports } = await start();
  await call(instanceVariables.create, { key: 'I', value: 'instance' }, ADMIN);
  await call(groupVariables.create, { id: 50, key: 'G', value: 'outer' }, OWNER);
  await call(groupVariables.create, { id: 51, key: 'G', value: 'inner', environment_scope: 'a/*' }, OWNER);
  await call(
    projectVariables.create,
    { id: 7, key: 'P', value: 'project', protected: true, variable_type: 'file' },
    OWNER,
  );
  const variablesOf = variablesForJobs(ports);
  const job = { projectId: 7, groupIds: [50, 51], isProtected: true };
  const plain = { masked: false, file: false, protected: false, environmentScope: '*' };
  const project = { ...plain, key: 'P', value: 'project', file: true, protected: true };
  const levels = {
    instance: [{ ...plain, key: 'I', value: 'instance' }],
    groups: [
      [{ ...plain, key: 'G', value: 'outer' }],
      [{ ...plain, key: 'G', value: 'inner', environmentScope: 'a/*' }],
    ],
    project: [project],
  };
  expect(await variablesOf(job)).toEqual(levels);
  expect(await variablesOf({ ...job, isProtected: false })).toEqual({ ...levels, project: [] });
  expect(await variablesOf({ projectId: 8, groupIds: [], isProtected: true })).toEqual({
    ...{ instance: levels.instance, groups: [], project: [] },
  });
});

test('a value of another instance key is named, and can be set again', async () => {
  const sealer = createSealer(() => Buffer.alloc(32, 9), 'CI variables');
  const lost = on('variables-project-7', {
    type: 'CiVariableAdded',
    data: {
      ...{ variableId: 1, projectId: 7, groupId: null, key: 'KEY', variableType: 'env_var' },
      ...{ protected: false, masked: false, environmentScope: '*', isMaskable: true },
      sealedValue: sealer.seal('variables-project-7/KEY', value),
    },
  });
  const { call } = await startSlices([ciVariableSlice], [...given, lost]);
  const one = { id: 7, key: 'KEY' };
  const again = await call(projectVariables.update, { ...one, value: 'again' }, OWNER);
  expect(again).toMatchObject({ status: 200, body: { value: 'again' } });
  const { call: callWithout } = await startSlices([ciVariableSlice], [...given, lost]);
  await expect(callWithout(projectVariables.list, { id: 7 }, OWNER)).rejects.toThrow(
    'variables-project-7/KEY was sealed with another instance key',
  );
});
