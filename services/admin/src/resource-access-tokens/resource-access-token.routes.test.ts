import { listProjectMembers } from '@forgelog/contracts/admin/members/project-member.api.ts';
import {
  groupAccessTokens,
  projectAccessTokens,
} from '@forgelog/contracts/admin/resource-access-tokens/resource-access-token.api.ts';
import { getUser } from '@forgelog/contracts/admin/users/user.api.ts';
import { memberAdded, projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { accessTokenSlice } from '../access-tokens/access-token.slice.ts';
import { groupSlice } from '../groups/group.slice.ts';
import { memberSlice } from '../members/member.slice.ts';
import { groupCreated, groupMemberAdded, inGroup } from '../testing/group-events.ts';
import { userSlice } from '../users/user.slice.ts';
import { resourceAccessTokenSlice } from './resource-access-token.slice.ts';

const OWNER = 1;
const MAINTAINER = 2;
const DEVELOPER = 3;
const slices = [userSlice, accessTokenSlice, resourceAccessTokenSlice, groupSlice, memberSlice];
const given = [
  ...[OWNER, MAINTAINER, DEVELOPER].map((id) => userCreated(id)),
  ...[projectCreated(7), projectCreated(8), memberAdded(7, MAINTAINER, 40), memberAdded(7, DEVELOPER, 30)],
  ...[groupCreated(20), groupMemberAdded(20, MAINTAINER, 40)].map(inGroup),
];
const wanted = { id: 7, name: 'deployment', scopes: ['api'], access_level: 30 };

async function started() {
  const { call, ports } = await startSlices(slices, given);
  for (const _ of [OWNER, MAINTAINER, DEVELOPER]) await ports.ids.next('user');
  return { call };
}

test('a maintainer makes a bot that is a member, with a token that is shown once', async () => {
  const { call } = await started();
  const created = await call(projectAccessTokens.create, wanted, MAINTAINER);
  const { token, ...shown } = created.body;
  expect(created).toMatchObject({
    status: 201,
    body: { token: expect.stringMatching(/^flpat-/), name: 'deployment', access_level: 30, active: true },
    events: [
      { type: 'PersonalAccessTokenCreated', data: { projectId: 7, groupId: null } },
      ...[{ type: 'NameClaimed' }, { type: 'NameClaimed' }],
      { type: 'UserCreated', data: { username: 'project_7_bot', bot: true, external: true, admin: false } },
      { type: 'ProjectMemberAdded', data: { projectId: 7, accessLevel: 30 } },
    ],
  });
  expect((await call(projectAccessTokens.list, { id: 7 }, MAINTAINER)).body).toEqual([shown]);
  expect((await call(projectAccessTokens.get, { id: 7, token_id: shown.id }, OWNER)).body).toEqual(shown);
  const bots = (await call(listProjectMembers, { id: 7, query: 'bot' }, OWNER)).body;
  expect(bots).toMatchObject([{ id: shown.user_id, access_level: 30 }]);
});

test('each bot has a name of its own, and a group has bots too', async () => {
  const { call } = await started();
  const names = [];
  for (const user of [OWNER, MAINTAINER]) {
    const { user_id } = (await call(projectAccessTokens.create, wanted, user)).body;
    names.push((await call(getUser, { id: user_id }, OWNER)).body.username);
  }
  const inGroup = await call(groupAccessTokens.create, { ...wanted, id: 20 }, OWNER);
  names.push((await call(getUser, { id: inGroup.body.user_id }, OWNER)).body.username);
  expect(names).toEqual(['project_7_bot', 'project_7_bot2', 'group_20_bot']);
  expect((await call(groupAccessTokens.list, { id: 20 }, OWNER)).body).toMatchObject([{ access_level: 30 }]);
});

test('a revoked token takes its bot along, and is listed no more', async () => {
  const { call } = await started();
  const { id: token_id, user_id } = (await call(projectAccessTokens.create, wanted, MAINTAINER)).body;
  expect(await call(projectAccessTokens.revoke, { id: 7, token_id }, MAINTAINER)).toMatchObject({
    status: 204,
    events: [{ type: 'PersonalAccessTokenRevoked' }, { type: 'UserDeleted', data: { userId: user_id } }],
  });
  expect((await call(projectAccessTokens.list, { id: 7 }, MAINTAINER)).body).toEqual([]);
  for (const endpoint of [projectAccessTokens.get, projectAccessTokens.revoke])
    expect((await call(endpoint, { id: 7, token_id }, MAINTAINER)).status).toBe(404);
});

test('tokens of people and of other places are not found', async () => {
  const { call } = await started();
  const { id: token_id } = (await call(projectAccessTokens.create, { ...wanted, id: 8 }, OWNER)).body;
  for (const endpoint of [projectAccessTokens.get, projectAccessTokens.revoke])
    expect(await call(endpoint, { id: 7, token_id }, MAINTAINER)).toMatchObject({
      ...{ status: 404, body: { message: '404 Not found' }, events: [] },
    });
});

test('who may not, and what is wrong, makes no bot', async () => {
  const { call } = await started();
  const answers = [await call(projectAccessTokens.create, wanted, DEVELOPER)];
  answers.push(await call(groupAccessTokens.create, { ...wanted, id: 20 }, MAINTAINER));
  for (const wrong of [
    ...[{ name: ' ' }, { scopes: [] }, { scopes: ['sudo'] }, { access_level: 50 }],
    { expires_at: '2001-01-01' },
  ])
    answers.push(await call(projectAccessTokens.create, { ...wanted, ...wrong }, MAINTAINER));
  expect(answers.map(({ status, body }) => [status, body.message ?? body.error])).toEqual([
    [403, '403 Forbidden'],
    [403, '403 Forbidden'],
    [400, { name: ["can't be blank"] }],
    [400, { scopes: ["can't be blank"] }],
    [400, 'scopes does not have a valid value'],
    [400, 'access_level does not have a valid value'],
    [400, { expires_at: ['must be in the future'] }],
  ]);
  expect(answers.flatMap(({ events }) => events)).toEqual([]);
});
