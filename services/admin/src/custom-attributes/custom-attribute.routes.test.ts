import {
  groupCustomAttributes,
  projectCustomAttributes,
  userCustomAttributes,
} from '@forgelog/contracts/admin/custom-attributes/custom-attribute.api.ts';
import { listGroups } from '@forgelog/contracts/admin/groups/group.api.ts';
import { getUser, listUsers } from '@forgelog/contracts/admin/users/user.api.ts';
import { projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { groupSlice } from '../groups/group.slice.ts';
import { groupCreated, inGroup } from '../testing/group-events.ts';
import { userSlice } from '../users/user.slice.ts';
import { customAttributeSlice } from './custom-attribute.slice.ts';

const ADMIN = 1;
const ADA = 2;
const slices = [userSlice, groupSlice, customAttributeSlice];
const given = [
  ...[userCreated(ADMIN, { admin: true }), userCreated(ADA), projectCreated(7)],
  ...[inGroup(groupCreated(20)), inGroup(groupCreated(21))],
];
const owners = [
  { of: userCustomAttributes, missing: 'User', field: 'userId' },
  { of: groupCustomAttributes, missing: 'Group', field: 'groupId' },
  { of: projectCustomAttributes, missing: 'Project', field: 'projectId' },
];

test.each(owners)(
  'administrators set, read and delete attributes of a $missing',
  async ({ of, missing, field }) => {
    const { call } = await startSlices(slices, given);
    const id = { User: ADA, Group: 20, Project: 7 }[missing]!;
    const one = { id, key: 'home town' };
    const set = await call(of.set, { ...one, value: 'Antwerp' }, ADMIN);
    expect(set).toMatchObject({
      status: 200,
      body: { key: 'home town', value: 'Antwerp' },
      events: [{ type: 'CustomAttributeCreated', data: { [field]: id, value: 'Antwerp' } }],
    });
    expect(await call(of.set, { ...one, value: 'Antwerp' }, ADMIN)).toMatchObject({
      status: 200,
      events: [],
    });
    expect((await call(of.set, { ...one, value: 'Ghent' }, ADMIN)).body.value).toBe('Ghent');
    await call(of.set, { id, key: 'a', value: 'first' }, ADMIN);
    expect((await call(of.list, { id }, ADMIN)).body).toEqual([
      { key: 'a', value: 'first' },
      { key: 'home town', value: 'Ghent' },
    ]);
    expect((await call(of.get, one, ADMIN)).body).toEqual({ key: 'home town', value: 'Ghent' });
    expect((await call(of.delete, one, ADMIN)).status).toBe(204);
    const gone = { status: 404, body: { message: '404 Not found' } };
    expect(await call(of.get, one, ADMIN)).toMatchObject(gone);
    expect(await call(of.delete, one, ADMIN)).toMatchObject({ ...gone, events: [] });
    const nowhere = { status: 404, body: { message: `404 ${missing} Not Found` }, events: [] };
    for (const endpoint of [of.list, of.get, of.set, of.delete])
      expect(await call(endpoint, { id: 999, key: 'a', value: 'b' }, ADMIN)).toMatchObject(nowhere);
  },
);

test('a group and a project are found by their paths, and a user is no group', async () => {
  const { call } = await startSlices(slices, given);
  const wanted = { key: 'a', value: 'b' };
  expect((await call(groupCustomAttributes.set, { id: 'group20', ...wanted }, ADMIN)).status).toBe(200);
  expect((await call(projectCustomAttributes.set, { id: 'user1/project7', ...wanted }, ADMIN)).status).toBe(
    200,
  );
  expect((await call(groupCustomAttributes.list, { id: 20 }, ADMIN)).body).toEqual([wanted]);
  expect((await call(groupCustomAttributes.list, { id: 'user2' }, ADMIN)).status).toBe(404);
});

test('nobody else reads or sets any, and what is wrong changes nothing', async () => {
  const { call } = await startSlices(slices, given);
  const wanted = { id: ADA, key: 'a', value: 'b' };
  const { list, get, set, delete: remove } = userCustomAttributes;
  const answers = [];
  for (const endpoint of [list, get, set, remove])
    for (const caller of [ADA, null]) answers.push(await call(endpoint, wanted, caller));
  expect(answers.map(({ status }) => status)).toEqual([403, 401, 403, 401, 403, 401, 403, 401]);
  for (const wrong of [
    { value: ' ' },
    { value: '' },
    { value: undefined },
    { value: 'x'.repeat(4097) },
    { key: ' ' },
  ])
    answers.push(await call(set, { ...wanted, ...wrong }, ADMIN));
  expect(answers.slice(8).map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
  expect(answers.flatMap(({ events }) => events)).toEqual([]);
});

test('lists are filtered by attributes, and show them, for administrators who ask', async () => {
  const { call } = await startSlices(slices, given);
  const set = (
    of: typeof userCustomAttributes | typeof groupCustomAttributes,
    id: number,
    key: string,
    value: string,
  ) => call(of.set, { id, key, value }, ADMIN);
  for (const [id, key, value] of [
    [ADMIN, 'town', 'Ghent'],
    [ADA, 'town', 'Ghent'],
    [ADA, 'team', 'red'],
  ] as const)
    await set(userCustomAttributes, id, key, value);
  await set(groupCustomAttributes, 20, 'town', 'Ghent');
  const ids = async (endpoint: typeof listUsers | typeof listGroups, wish: object, as = ADMIN) =>
    (await call(endpoint, { ...wish, sort: 'asc' }, as)).body.map(({ id }: { id: number }) => id);
  expect([
    await ids(listUsers, { 'custom_attributes[town]': 'Ghent' }),
    await ids(listUsers, { 'custom_attributes[town]': 'Ghent', 'custom_attributes[team]': 'red' }),
    await ids(listUsers, { 'custom_attributes[town]': 'ghent' }),
    await ids(listUsers, { 'custom_attributes[team]': 'red', 'custom_attributes[town]': 'Lier' }),
    await ids(listGroups, { 'custom_attributes[town]': 'Ghent' }),
    await ids(listGroups, { 'custom_attributes[town]': 'Lier' }),
  ]).toEqual([[ADMIN, ADA], [ADA], [], [], [20], []]);
  // Others do not learn who has what.
  expect((await ids(listUsers, { 'custom_attributes[team]': 'red' }, ADA)).toSorted()).toEqual([ADMIN, ADA]);
  const wish = { with_custom_attributes: true };
  const ada = {
    custom_attributes: [
      { key: 'team', value: 'red' },
      { key: 'town', value: 'Ghent' },
    ],
  };
  expect((await call(getUser, { id: ADA, ...wish }, ADMIN)).body).toMatchObject(ada);
  expect((await call(getUser, { id: ADA, ...wish }, ADA)).body).not.toHaveProperty('custom_attributes');
  expect((await call(listGroups, wish, ADMIN)).body).toMatchObject([
    { id: 20, custom_attributes: [{ key: 'town', value: 'Ghent' }] },
    { id: 21, custom_attributes: [] },
  ]);
});
