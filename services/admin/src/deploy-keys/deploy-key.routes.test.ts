import {
  addProjectDeployKey,
  createDeployKey,
  enableProjectDeployKey,
  getProjectDeployKey,
  listDeployKeys,
  listProjectDeployKeys,
  removeProjectDeployKey,
  updateProjectDeployKey,
} from '@forgelog/contracts/admin/deploy-keys/deploy-key.api.ts';
import { findSshKey, sshKeyEndpoints } from '@forgelog/contracts/admin/user-keys/user-key.api.ts';
import { newSshKey } from '@forgelog/signatures/testing/sample-keys.ts';
import { memberAdded, projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { memberSlice } from '../members/member.slice.ts';
import { userKeySlice } from '../user-keys/user-key.slice.ts';
import { userSlice } from '../users/user.slice.ts';
import { deployKeySlice } from './deploy-key.slice.ts';

const OWNER = 1;
const MAINTAINER = 2;
const DEVELOPER = 3;
const ADMIN = 4;
const OTHER = 5;
const given = [
  ...[OWNER, MAINTAINER, DEVELOPER, OTHER].map((id) => userCreated(id)),
  userCreated(ADMIN, { admin: true }),
  ...[projectCreated(7), projectCreated(8), projectCreated(9, { ownerId: OTHER })],
  ...[memberAdded(7, MAINTAINER, 40), memberAdded(8, MAINTAINER, 40), memberAdded(7, DEVELOPER, 30)],
];
const start = () => startSlices([userSlice, memberSlice, userKeySlice, deployKeySlice], given);
const key = newSshKey();
const wanted = { id: 7, title: 'Machine', key };
const TAKEN = { status: 400, body: { message: { 'deploy_key.fingerprint': ['has already been taken'] } } };
const MISSING = { status: 404, body: { message: '404 Deploy Key Not Found' }, events: [] };

test('a maintainer adds a key, changes it, and the last project takes it along', async () => {
  const { call } = await start();
  const made = await call(addProjectDeployKey, { ...wanted, can_push: true }, MAINTAINER);
  expect(made).toMatchObject({
    status: 201,
    body: {
      ...{ title: 'Machine', can_push: true, key: key.trim() },
      fingerprint: expect.stringMatching(/^([0-9a-f]{2}:){15}[0-9a-f]{2}$/),
      fingerprint_sha256: expect.stringMatching(/^SHA256:[\w+/]{43}$/),
    },
    events: [{ type: 'DeployKeyCreated' }, { type: 'DeployKeyEnabledForProject', data: { projectId: 7 } }],
  });
  const one = { id: 7, key_id: made.body.id };
  expect((await call(listProjectDeployKeys, { id: 7 }, MAINTAINER)).body).toEqual([made.body]);
  expect((await call(getProjectDeployKey, one, MAINTAINER)).body).toEqual(made.body);
  // Adding it again answers what is there.
  expect(await call(addProjectDeployKey, { ...wanted, title: 'Again' }, MAINTAINER)).toMatchObject({
    ...{ status: 201, body: made.body, events: [] },
  });
  const changed = await call(updateProjectDeployKey, { ...one, title: 'Robot', can_push: false }, MAINTAINER);
  expect(changed.body).toEqual({ ...made.body, title: 'Robot', can_push: false });
  expect((await call(listDeployKeys, {}, ADMIN)).body).toMatchObject([
    { title: 'Robot', projects_with_write_access: [] },
  ]);
  expect(await call(removeProjectDeployKey, one, MAINTAINER)).toMatchObject({
    status: 204,
    events: [{ type: 'DeployKeyDisabledForProject' }, { type: 'DeployKeyDeleted' }],
  });
  expect(await call(removeProjectDeployKey, one, MAINTAINER)).toMatchObject(MISSING);
  expect((await call(getProjectDeployKey, one, MAINTAINER)).status).toBe(404);
  expect((await call(listDeployKeys, {}, ADMIN)).body).toEqual([]);
});

test('a key goes to other projects of whoever has it, and to nobody else’s', async () => {
  const { call } = await start();
  const { id: key_id } = (await call(addProjectDeployKey, { ...wanted, can_push: true }, MAINTAINER)).body;
  expect(await call(enableProjectDeployKey, { id: 9, key_id }, OTHER)).toMatchObject(MISSING);
  expect(await call(addProjectDeployKey, { ...wanted, id: 9 }, OTHER)).toMatchObject({
    ...TAKEN,
    events: [],
  });
  expect((await call(enableProjectDeployKey, { id: 8, key_id }, MAINTAINER)).status).toBe(201);
  expect((await call(enableProjectDeployKey, { id: 8, key_id }, MAINTAINER)).events).toEqual([]);
  expect((await call(getProjectDeployKey, { id: 8, key_id }, MAINTAINER)).body.can_push).toBe(false);
  expect((await call(listDeployKeys, {}, ADMIN)).body).toMatchObject([
    { id: key_id, projects_with_write_access: [{ id: 7, path_with_namespace: 'user1/project7' }] },
  ]);
  expect((await call(removeProjectDeployKey, { id: 7, key_id }, MAINTAINER)).events).toHaveLength(1);
  expect((await call(addProjectDeployKey, wanted, MAINTAINER)).body.id).toBe(key_id);
});

test('an administrator finds a key of machines by its fingerprint, with its projects', async () => {
  const { call } = await start();
  const made = (await call(addProjectDeployKey, { ...wanted, can_push: true }, MAINTAINER)).body;
  await call(enableProjectDeployKey, { id: 8, key_id: made.id }, MAINTAINER);
  const one = { deploy_key_id: made.id, created_at: expect.any(String), updated_at: expect.any(String) };
  for (const fingerprint of [made.fingerprint_sha256, made.fingerprint, `MD5:${made.fingerprint}`])
    expect((await call(findSshKey, { fingerprint }, ADMIN)).body).toEqual({
      ...{ id: made.id, title: 'Machine', key: key.trim(), created_at: made.created_at, expires_at: null },
      user: expect.objectContaining({ username: 'user2' }),
      deploy_keys_projects: [
        { ...one, project_id: 7, can_push: true },
        { ...one, project_id: 8, can_push: false },
      ],
    });
  const { fingerprint } = made;
  expect((await call(findSshKey, { fingerprint }, MAINTAINER)).status).toBe(403);
  await call(removeProjectDeployKey, { id: 7, key_id: made.id }, MAINTAINER);
  await call(removeProjectDeployKey, { id: 8, key_id: made.id }, MAINTAINER);
  expect((await call(findSshKey, { fingerprint }, ADMIN)).status).toBe(404);
});

test('each project may enable a key of the instance, whose title is for administrators', async () => {
  const { call } = await start();
  const { title } = wanted;
  const { id: key_id } = (await call(createDeployKey, { title, key }, ADMIN)).body;
  expect((await call(createDeployKey, { title, key }, ADMIN)).body.message).toEqual({
    fingerprint: ['has already been taken'],
  });
  expect((await call(createDeployKey, { title, key: newSshKey() }, OWNER)).status).toBe(403);
  expect((await call(enableProjectDeployKey, { id: 9, key_id }, OTHER)).status).toBe(201);
  const rename = { id: 9, key_id, title: 'Mine' };
  expect(await call(updateProjectDeployKey, rename, OTHER)).toMatchObject({ status: 403, events: [] });
  expect((await call(updateProjectDeployKey, { id: 9, key_id, can_push: true }, OTHER)).body.can_push).toBe(
    true,
  );
  expect((await call(updateProjectDeployKey, rename, ADMIN)).body.title).toBe('Mine');
  await call(removeProjectDeployKey, { id: 9, key_id }, OTHER);
  expect((await call(listDeployKeys, { public: true }, ADMIN)).body).toMatchObject([{ id: key_id }]);
});

test('a key is of a user or of machines', async () => {
  const { call } = await start();
  const { createOwn } = sshKeyEndpoints;
  expect((await call(createOwn, { title: 'Laptop', key }, OWNER)).status).toBe(201);
  expect(await call(addProjectDeployKey, wanted, MAINTAINER)).toMatchObject({ ...TAKEN, events: [] });
  const other = newSshKey();
  await call(addProjectDeployKey, { ...wanted, key: other }, MAINTAINER);
  expect(await call(createOwn, { title: 'Laptop', key: other }, OWNER)).toMatchObject({
    status: 400,
    body: { message: { fingerprint: ['has already been taken'] } },
    events: [],
  });
});

test('who may not, and what is no key, adds none', async () => {
  const { call } = await start();
  const answers = [];
  for (const caller of [DEVELOPER, OTHER, null])
    answers.push(await call(addProjectDeployKey, wanted, caller));
  for (const wrong of [
    { key: 'ssh-ed25519 AAAA' },
    { key: `${key}\n${newSshKey()}` },
    { title: ' ' },
    { key: '' },
  ])
    answers.push(await call(addProjectDeployKey, { ...wanted, ...wrong }, MAINTAINER));
  expect(answers.map(({ status }) => status)).toEqual([403, 404, 401, 400, 400, 400, 400]);
  expect(answers[3]!.body).toEqual({ message: { 'deploy_key.key': ['is invalid'] } });
  expect(answers.flatMap(({ events }) => events)).toEqual([]);
});
