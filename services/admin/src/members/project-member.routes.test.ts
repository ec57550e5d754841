import {
  addProjectMember,
  changeProjectMember,
  getAnyProjectMember,
  getProjectMember,
  listAllProjectMembers,
  listProjectMembers,
  removeProjectMember,
} from '@forgelog/contracts/admin/members/project-member.api.ts';
import { memberAdded, on, projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { memberSlice } from './member.slice.ts';

const OWNER = 1;
const MAINTAINER = 2;
const GUEST = 3;
const OUTSIDER = 4;
const AMY = 5;
const given = [
  ...[OWNER, MAINTAINER, GUEST, OUTSIDER, AMY].map((id) => userCreated(id)),
  projectCreated(7),
  memberAdded(7, MAINTAINER, 40),
  memberAdded(7, GUEST, 10),
];
const start = (more: typeof given = []) => startSlices([memberSlice], [...given, ...more]);
const amy = { id: 7, user_id: AMY };
const developer = { ...amy, access_level: 30 };

test('a member is added, read, changed and removed', async () => {
  const { call, ports } = await start();
  const added = await call(
    addProjectMember,
    { ...developer, expires_at: '2999-01-31', invite_source: 'api' },
    OWNER,
  );
  expect(added).toMatchObject({
    status: 201,
    events: [{ type: 'ProjectMemberAdded', data: { projectId: 7, userId: AMY, expiresAt: '2999-01-31' } }],
  });
  expect(added.body).toEqual({
    ...{ id: AMY, username: 'user5', name: 'User 5', state: 'active', avatar_url: null },
    ...{ web_url: `${ports.host}/user5`, access_level: 30, expires_at: '2999-01-31' },
    created_at: expect.any(String),
  });
  const { created_at: _, ...listed } = added.body;
  for (const endpoint of [getProjectMember, getAnyProjectMember])
    expect((await call(endpoint, amy, AMY)).body).toEqual(added.body);
  for (const endpoint of [listProjectMembers, listAllProjectMembers])
    expect((await call(endpoint, { id: 7 }, AMY)).body).toContainEqual(listed);

  const change = async (changes: object) =>
    (await call(changeProjectMember, { ...amy, ...changes }, OWNER)).body;
  expect(await change({ access_level: 20 })).toEqual({ ...added.body, access_level: 20 });
  const timed = { access_level: 20, expires_at: '2998-12-31T00:00:00.000Z' };
  expect((await change(timed)).expires_at).toBe('2998-12-31');
  expect((await change({ access_level: 20, expires_at: '' })).expires_at).toBeNull();

  expect(await call(removeProjectMember, amy, OWNER)).toMatchObject({
    status: 204,
    events: [{ type: 'ProjectMemberRemoved', data: { userId: AMY, reason: 'removed' } }],
  });
  expect((await call(getProjectMember, amy, OWNER)).status).toBe(404);
  expect((await call(listProjectMembers, { id: 7 }, AMY)).status).toBe(404);
});

test('a member is added once, and the owner of the namespace is one already', async () => {
  const { call } = await start();
  for (const user_id of [GUEST, OWNER])
    expect(await call(addProjectMember, { ...developer, user_id }, OWNER)).toMatchObject({
      ...{ status: 409, body: { message: 'Member already exists' }, events: [] },
    });
});

test('a list of users adds each, and tells who could not be added', async () => {
  const { call } = await start();
  const several = { ...developer, user_id: `${AMY}, ${OUTSIDER}` };
  expect(await call(addProjectMember, several, OWNER)).toMatchObject({
    ...{ status: 201, body: { status: 'success' } },
    events: [{ data: { userId: AMY } }, { data: { userId: OUTSIDER } }],
  });
  const { body, events } = await call(addProjectMember, { ...developer, user_id: `${AMY},99` }, OWNER);
  expect(body).toEqual({
    status: 'error',
    message: { user5: 'Member already exists', 99: 'User not found' },
  });
  expect(events).toEqual([]);
});

test('what is wrong is said and changes nothing', async () => {
  const { call } = await start();
  const notIncluded = { message: { access_level: ['is not included in the list'] } };
  const missing = { message: '404 Not found' };
  for (const [endpoint, params, status, body] of [
    [addProjectMember, { id: 7 }, 400, { error: 'user_id is missing, access_level is missing' }],
    [addProjectMember, { ...developer, user_id: '' }, 400, { error: 'user_id is empty' }],
    [addProjectMember, { ...developer, user_id: 'x' }, 400, { error: 'user_id is invalid' }],
    [
      addProjectMember,
      { ...amy, access_level: 31 },
      400,
      { error: 'access_level does not have a valid value' },
    ],
    [addProjectMember, { ...amy, access_level: 50 }, 400, notIncluded],
    [addProjectMember, { ...amy, access_level: 5 }, 400, notIncluded],
    [addProjectMember, { ...developer, expires_at: '2999-02-30' }, 400, { error: 'expires_at is invalid' }],
    [
      addProjectMember,
      { ...developer, expires_at: '2001-01-01' },
      400,
      { message: { expires_at: ['cannot be a date in the past'] } },
    ],
    [addProjectMember, { ...developer, user_id: 99 }, 404, { message: '404 User Not Found' }],
    [changeProjectMember, developer, 404, missing],
    [changeProjectMember, amy, 400, { error: 'access_level is missing' }],
    [removeProjectMember, amy, 404, missing],
    [getProjectMember, amy, 404, missing],
    [getAnyProjectMember, amy, 404, missing],
  ] as const)
    expect(await call(endpoint, params, OWNER)).toMatchObject({ status, body, events: [] });
});

test('maintainers manage members, others see them, and everybody may leave', async () => {
  const { call } = await start();
  const lower = { id: 7, user_id: MAINTAINER };
  for (const [endpoint, params] of [
    [addProjectMember, developer],
    [changeProjectMember, { ...lower, access_level: 10 }],
    [removeProjectMember, lower],
  ] as const)
    for (const [caller, status] of [
      [GUEST, 403],
      [OUTSIDER, 404],
      [null, 401],
    ] as const)
      expect(await call(endpoint, params, caller)).toMatchObject({ status, events: [] });
  const seen = [];
  for (const caller of [GUEST, OUTSIDER, null])
    seen.push((await call(listProjectMembers, { id: 7 }, caller)).status);
  expect(seen).toEqual([200, 404, 401]);
  expect((await call(addProjectMember, developer, MAINTAINER)).status).toBe(201);
  expect(await call(removeProjectMember, { id: 7, user_id: GUEST }, GUEST)).toMatchObject({
    status: 204,
    events: [{ type: 'ProjectMemberRemoved', data: { userId: GUEST, reason: 'left' } }],
  });
});

test('the owner of the namespace is shown as a maintainer, and stays', async () => {
  const { call } = await start();
  const owner = { id: 7, user_id: OWNER };
  for (const endpoint of [getProjectMember, getAnyProjectMember])
    expect((await call(endpoint, owner, GUEST)).body).toMatchObject({ access_level: 40, expires_at: null });
  for (const caller of [OWNER, MAINTAINER]) {
    expect(await call(removeProjectMember, owner, caller)).toMatchObject({ status: 403, events: [] });
    const lower = { ...owner, access_level: 10 };
    expect(await call(changeProjectMember, lower, caller)).toMatchObject({ status: 403, events: [] });
  }
});

test('a list is searched by name and username, and paged', async () => {
  const changes = { name: 'Jane Straße', username: 'jdoe', profile: { public_email: 'j@example.org' } };
  const jane = on(`user-${GUEST}`, {
    type: 'UserUpdated',
    data: { userId: GUEST, changes, previous: null, withheldChanges: [] },
  });
  const { call } = await start([jane]);
  for (const query of ['DOE', 'jane s', 'straße'])
    expect((await call(listProjectMembers, { id: 7, query }, GUEST)).body).toMatchObject([
      { id: GUEST, email: 'j@example.org' },
    ]);
  expect((await call(listProjectMembers, { id: 7, query: 'example' }, GUEST)).body).toEqual([]);
  const some = { id: 7, 'user_ids[]': MAINTAINER };
  expect((await call(listProjectMembers, some, GUEST)).body).toMatchObject([{ id: MAINTAINER }]);
  const last = await call(listProjectMembers, { id: 7, per_page: 2, page: 2 }, GUEST);
  expect(last).toMatchObject({ body: [{}], headers: { 'x-total': '3', 'x-next-page': '' } });
});

test('a membership ends with its day, by itself', async () => {
  let now = new Date('2030-05-02T23:59:59Z');
  const ending = memberAdded(7, AMY, 30);
  Object.assign(ending.event.data as object, { expiresAt: '2030-05-03' });
  const { call } = await startSlices([memberSlice], [...given, ending], { clock: () => now });
  expect((await call(getProjectMember, amy, AMY)).status).toBe(200);
  now = new Date('2030-05-03T00:00:00Z');
  expect((await call(listProjectMembers, { id: 7 }, AMY)).status).toBe(404);
  for (const endpoint of [getProjectMember, getAnyProjectMember])
    expect((await call(endpoint, amy, OWNER)).status).toBe(404);
  expect((await call(listProjectMembers, { id: 7 }, OWNER)).body).toHaveLength(3);
  expect((await call(changeProjectMember, developer, OWNER)).status).toBe(404);
  expect((await call(addProjectMember, developer, OWNER)).status).toBe(201);
  expect((await call(getProjectMember, amy, AMY)).status).toBe(200);
});
