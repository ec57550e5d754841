import {
  createProtectedBranch,
  deleteProtectedBranch,
  getProtectedBranch,
  listProtectedBranches,
  protectBranch,
  unprotectBranch,
  updateProtectedBranch,
} from '@forgelog/contracts/repo/protected-branches/protected-branch.api.ts';
import { memberAdded, on, projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { expect, test } from 'vitest';
import { startRepoSlices } from '../testing/start-repo-slices.ts';
import { protectedBranchSlice } from './protected-branch.slice.ts';

const OWNER = 1;
const MAINTAINER = 2;
const DEVELOPER = 3;
const OUTSIDER = 4;
const given = [
  ...[OWNER, MAINTAINER, DEVELOPER, OUTSIDER].map((id) => userCreated(id)),
  projectCreated(7),
  memberAdded(7, MAINTAINER, 40),
  memberAdded(7, DEVELOPER, 30),
];
const group = (groupId: number, visibility: string) =>
  on(`group-${groupId}`, {
    type: 'GroupCreated',
    data: {
      ...{ groupId, parentId: null, name: `g${groupId}`, path: `g${groupId}`, fullPath: `g${groupId}` },
      ...{ description: '', settings: {}, visibility, creatorId: OWNER, ownerId: OWNER },
    },
  });
const level = (access_level: number, access_level_description: string) => ({
  ...{ access_level, access_level_description },
  ...{ user_id: null, group_id: null },
});
const maintainers = level(40, 'Maintainers');

const started = () => startRepoSlices([protectedBranchSlice], given);

test('a maintainer protects branches by a wildcard, reads, changes and ends the protection', async () => {
  const { call } = await started();
  const one = { id: 7, name: 'release/*' };
  const created = await call(createProtectedBranch, { ...one, merge_access_level: 30 }, MAINTAINER);
  expect(created).toMatchObject({
    status: 201,
    body: {
      ...{ id: 1, name: 'release/*', allow_force_push: false, code_owner_approval_required: false },
      push_access_levels: [maintainers],
      merge_access_levels: [level(30, 'Developers + Maintainers')],
      unprotect_access_levels: [maintainers],
    },
    events: [{ type: 'ProtectedBranchCreated', data: { projectId: 7, name: 'release/*' } }],
  });
  expect(await call(getProtectedBranch, one, MAINTAINER)).toMatchObject({ body: created.body });
  expect((await call(listProtectedBranches, { id: 7, search: 'EASE' }, MAINTAINER)).body).toEqual([
    created.body,
  ]);
  expect((await call(listProtectedBranches, { id: 7, search: 'other' }, MAINTAINER)).body).toEqual([]);
  expect(await call(updateProtectedBranch, { ...one, allow_force_push: true }, MAINTAINER)).toMatchObject({
    status: 200,
    body: { allow_force_push: true },
    events: [{ type: 'ProtectedBranchUpdated', data: { changes: { allowForcePush: true } } }],
  });
  expect(await call(createProtectedBranch, one, MAINTAINER)).toMatchObject({
    status: 409,
    body: { message: "Protected branch 'release/*' already exists" },
    events: [],
  });
  expect((await call(deleteProtectedBranch, one, MAINTAINER)).status).toBe(204);
  expect(await call(getProtectedBranch, one, MAINTAINER)).toMatchObject({
    status: 404,
    body: { message: '404 Not found' },
  });
});

test('developers are refused, and others do not see the project', async () => {
  const { call } = await started();
  const statuses = [];
  for (const caller of [DEVELOPER, OUTSIDER, null])
    for (const [endpoint, params] of [
      [createProtectedBranch, { name: 'x' }],
      [listProtectedBranches, {}],
    ] as const)
      statuses.push((await call(endpoint, { id: 7, ...params }, caller)).status);
  expect(statuses).toEqual([403, 403, 404, 404, 401, 401]);
});

test('users and groups are named, with their names in the answer', async () => {
  const { call } = await startRepoSlices(
    [protectedBranchSlice],
    [...given, group(50, 'public'), group(51, 'private')],
  );
  const named = { allowed_to_push: [{ user_id: DEVELOPER }, { group_id: 50 }, { access_level: 60 }] };
  const created = await call(createProtectedBranch, { id: 7, name: 'main', ...named }, MAINTAINER);
  expect(created).toMatchObject({ status: 201 });
  expect(created.body.push_access_levels).toEqual([
    { access_level: null, access_level_description: 'User 3', user_id: DEVELOPER, group_id: null },
    { access_level: null, access_level_description: 'g50', user_id: null, group_id: 50 },
    level(60, 'Instance admins'),
  ]);
  for (const [item, message] of [
    [{ user_id: OUTSIDER }, 'Push access levels user is not a member of the project'],
    [{ user_id: 999 }, 'Push access levels user is not a member of the project'],
    [{ group_id: 51 }, 'Push access levels group does not have access to the project'],
    [{ group_id: 999 }, 'Push access levels group does not have access to the project'],
    [{}, 'Push access levels need a user, a group or a level in each item'],
    [{ user_id: 3, access_level: 40 }, 'Push access levels need a user, a group or a level in each item'],
  ] as const)
    expect(
      await call(createProtectedBranch, { id: 7, name: 'other', allowed_to_push: [item] }, MAINTAINER),
    ).toMatchObject({ status: 422, body: { message: [message] }, events: [] });
});

test('whom the rule does not admit cannot end it', async () => {
  const { call } = await started();
  const one = { id: 7, name: 'main' };
  await call(createProtectedBranch, { ...one, allowed_to_unprotect: [{ user_id: OWNER }] }, OWNER);
  for (const [endpoint, params] of [
    [deleteProtectedBranch, {}],
    [updateProtectedBranch, { allow_force_push: true }],
  ] as const)
    expect(await call(endpoint, { ...one, ...params }, MAINTAINER)).toMatchObject({
      status: 403,
      events: [],
    });
  expect((await call(deleteProtectedBranch, one, OWNER)).status).toBe(204);
});

test('of two that protect a name at once, one succeeds', async () => {
  const { call } = await started();
  const one = { id: 7, name: 'main' };
  const answers = await Promise.all([1, 2, 3].map(() => call(createProtectedBranch, one, MAINTAINER)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  expect((await call(listProtectedBranches, { id: 7 }, MAINTAINER)).body).toHaveLength(1);
});

test('the deprecated form protects one branch, changes it and ends it', async () => {
  const { call, commit } = await started();
  await commit(7, 'topic', { a: '1' });
  await commit(7, 'other', { a: '1' });
  const one = { id: 7, branch: 'other' };
  const protect = (params: object) => call(protectBranch, { ...one, ...params }, MAINTAINER);
  const isProtected = { protected: true, developers_can_push: false, developers_can_merge: false };
  expect(await protect({})).toMatchObject({ status: 200, body: isProtected });
  expect((await protect({ developers_can_merge: true })).body).toMatchObject({
    ...{ ...isProtected, developers_can_merge: true },
  });
  expect((await protect({ developers_can_push: true })).body).toMatchObject({
    ...{ protected: true, developers_can_push: true, developers_can_merge: true },
  });
  const ended = await call(unprotectBranch, one, MAINTAINER);
  expect(ended).toMatchObject({ status: 200, body: { name: 'other', protected: false } });
  expect(await call(unprotectBranch, one, MAINTAINER)).toMatchObject({ status: 200, events: [] });
  expect(await call(protectBranch, { id: 7, branch: 'absent' }, MAINTAINER)).toMatchObject({
    status: 404,
    events: [],
  });
});
