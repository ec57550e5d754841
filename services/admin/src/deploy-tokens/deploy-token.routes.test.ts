import {
  groupDeployTokens,
  listDeployTokens,
  projectDeployTokens,
} from '@forgelog/contracts/admin/deploy-tokens/deploy-token.api.ts';
import { memberAdded, projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { groupSlice } from '../groups/group.slice.ts';
import { memberSlice } from '../members/member.slice.ts';
import { sha256 } from '../shared/sha256.ts';
import { groupCreated, groupMemberAdded, inGroup } from '../testing/group-events.ts';
import { userSlice } from '../users/user.slice.ts';
import { deployTokenSlice } from './deploy-token.slice.ts';

const OWNER = 1;
const MAINTAINER = 2;
const DEVELOPER = 3;
const ADMIN = 4;
const OUTSIDER = 5;
const slices = [userSlice, groupSlice, memberSlice, deployTokenSlice];
const given = [
  ...[OWNER, MAINTAINER, DEVELOPER, OUTSIDER].map((id) => userCreated(id)),
  userCreated(ADMIN, { admin: true }),
  ...[projectCreated(7), projectCreated(8), memberAdded(7, MAINTAINER, 40), memberAdded(7, DEVELOPER, 30)],
  ...[groupCreated(20), groupMemberAdded(20, MAINTAINER, 40)].map(inGroup),
];
const wanted = { id: 7, name: 'Deployment', scopes: ['read_repository', 'read_package_registry'] };

test('a maintainer makes a token, whose value is in this answer and nowhere else', async () => {
  const { call } = await startSlices(slices, given);
  const created = await call(projectDeployTokens.create, wanted, MAINTAINER);
  const { token, ...shown } = created.body;
  expect(token).toMatch(/^fldt-[\w-]{32}$/);
  expect(created).toMatchObject({
    status: 201,
    body: { username: 'gitlab+deploy-token-1', expires_at: null, revoked: false, expired: false },
    events: [
      { type: 'DeployTokenCreated', data: { projectId: 7, groupId: null, tokenSha256: sha256(token) } },
    ],
  });
  expect(JSON.stringify(created.events)).not.toContain(token);
  const one = { id: 7, token_id: shown.id };
  expect((await call(projectDeployTokens.get, one, MAINTAINER)).body).toEqual(shown);
  expect((await call(projectDeployTokens.list, { id: 7 }, MAINTAINER)).body).toEqual([shown]);
  expect((await call(listDeployTokens, {}, ADMIN)).body).toEqual([shown]);
});

test('clients that send empty texts get the name of the id, and no end', async () => {
  const { call } = await startSlices(slices, given);
  const { body } = await call(
    projectDeployTokens.create,
    { ...wanted, username: '', expires_at: '' },
    MAINTAINER,
  );
  expect(body).toMatchObject({ username: 'gitlab+deploy-token-1', expires_at: null });
});

test('lists tell those that work from those that are expired', async () => {
  const { call } = await startSlices(slices, given);
  for (const more of [{ expires_at: '2001-01-01' }, { expires_at: '2201-01-01T10:00:00+02:00' }, {}])
    await call(projectDeployTokens.create, { ...wanted, ...more }, OWNER);
  const ids = async (params: { active?: boolean } = {}) =>
    (await call(projectDeployTokens.list, { id: 7, ...params }, OWNER)).body.map(
      ({ id }: { id: number }) => id,
    );
  expect([await ids(), await ids({ active: true }), await ids({ active: false })]).toEqual([
    [1, 2, 3],
    [2, 3],
    [1],
  ]);
  expect((await call(listDeployTokens, { active: false }, ADMIN)).body).toMatchObject([
    { id: 1, expired: true, expires_at: '2001-01-01T00:00:00.000Z' },
  ]);
  expect((await call(projectDeployTokens.get, { id: 7, token_id: 2 }, OWNER)).body.expires_at).toBe(
    '2201-01-01T08:00:00.000Z',
  );
});

test('a token of another place is not found, and a deleted one is gone', async () => {
  const { call } = await startSlices(slices, given);
  const { id: token_id } = (await call(projectDeployTokens.create, wanted, OWNER)).body;
  const missing = { status: 404, body: { message: '404 Not found' }, events: [] };
  for (const action of ['get', 'delete'] as const) {
    expect(await call(projectDeployTokens[action], { id: 8, token_id }, OWNER)).toMatchObject(missing);
    expect(await call(groupDeployTokens[action], { id: 20, token_id }, OWNER)).toMatchObject(missing);
  }
  expect(await call(projectDeployTokens.delete, { id: 7, token_id }, OWNER)).toMatchObject({
    status: 204,
    events: [{ type: 'DeployTokenDeleted', data: { deployTokenId: token_id, projectId: 7 } }],
  });
  expect(await call(projectDeployTokens.delete, { id: 7, token_id }, OWNER)).toMatchObject(missing);
  expect((await call(projectDeployTokens.list, { id: 7 }, OWNER)).body).toEqual([]);
});

test('maintainers of a group read its tokens, and owners make them', async () => {
  const { call } = await startSlices(slices, given);
  const inGroup = { ...wanted, id: 20 };
  expect((await call(groupDeployTokens.create, inGroup, MAINTAINER)).status).toBe(403);
  const { body } = await call(groupDeployTokens.create, inGroup, OWNER);
  expect((await call(groupDeployTokens.list, { id: 20 }, MAINTAINER)).body).toMatchObject([{ id: body.id }]);
  expect((await call(projectDeployTokens.list, { id: 7 }, OWNER)).body).toEqual([]);
});

test('who may not, and what is wrong, makes no token', async () => {
  const { call } = await startSlices(slices, given);
  const answers = [];
  for (const caller of [DEVELOPER, OUTSIDER, null])
    answers.push(await call(projectDeployTokens.create, wanted, caller));
  for (const wrong of [
    ...[{ name: ' ' }, { scopes: [] }, { scopes: ['api'] }, { expires_at: 'soon' }, { username: 'a:b' }],
    { name: 'x'.repeat(256) },
  ])
    answers.push(await call(projectDeployTokens.create, { ...wanted, ...wrong }, MAINTAINER));
  expect(answers.map(({ status, body }) => [status, body.message ?? body.error])).toEqual([
    [403, '403 Forbidden'],
    [404, '404 Project Not Found'],
    [401, '401 Unauthorized'],
    [400, { name: ["can't be blank"] }],
    [400, { scopes: ["can't be blank"] }],
    [400, 'scopes does not have a valid value'],
    [400, 'expires_at is invalid'],
    [400, { username: ["can contain only letters, digits, '_', '-', '+', and '.'"] }],
    [400, expect.stringContaining('name')],
  ]);
  expect(answers.flatMap(({ events }) => events)).toEqual([]);
});
