import {
  findSshKey,
  getAnySshKey,
  gpgKeyEndpoints,
  sshKeyEndpoints,
} from '@forgelog/contracts/admin/user-keys/user-key.api.ts';
import { findSigningKey } from '@forgelog/contracts/admin/user-keys/user-key.operations.ts';
import { readPgpKey } from '@forgelog/signatures/pgp-key.ts';
import { readSshKey } from '@forgelog/signatures/ssh-key.ts';
import { newPgpKey, newSshKey } from '@forgelog/signatures/testing/sample-keys.ts';
import { userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { userEmailSlice } from '../user-emails/user-email.slice.ts';
import { userSlice } from '../users/user.slice.ts';
import { userKeySlice } from './user-key.slice.ts';

const ADMIN = 1;
const ADA = 2;
const BOB = 3;
const given = [userCreated(ADMIN, { admin: true }), userCreated(ADA), userCreated(BOB)];
const start = () => startSlices([userSlice, userEmailSlice, userKeySlice], given);
const missing = { status: 404, body: { message: '404 Key Not Found' }, events: [] };

test('users keep keys of OpenSSH, which everybody may read', async () => {
  const { call } = await start();
  const key = newSshKey();
  const added = await call(sshKeyEndpoints.createOwn, { title: 'Laptop', key: `${key} me@here` }, ADA);
  expect(added).toMatchObject({
    status: 201,
    body: { title: 'Laptop', key: `${key} User 2 (forgelog.test)`, expires_at: null },
    events: [{ type: 'UserKeyCreated', data: { userId: ADA, kind: 'ssh', key } }],
  });
  const one = { key_id: added.body.id };
  for (const [endpoint, params, caller] of [
    [sshKeyEndpoints.getOwn, one, ADA],
    [sshKeyEndpoints.get, { ...one, id: ADA }, null],
    [sshKeyEndpoints.get, { ...one, id: 'user2' }, BOB],
  ] as const)
    expect(await call(endpoint, params, caller)).toMatchObject({ status: 200, body: added.body });
  for (const [endpoint, params, caller] of [
    [sshKeyEndpoints.listOwn, {}, ADA],
    [sshKeyEndpoints.list, { id: 'user2' }, null],
  ] as const)
    expect((await call(endpoint, params, caller)).body).toEqual([added.body]);
  for (const found of [
    await call(getAnySshKey, one, ADMIN),
    await call(findSshKey, { fingerprint: `SHA256:${readSshKey(key)!.fingerprint}` }, ADMIN),
    await call(findSshKey, { fingerprint: readSshKey(key)!.md5 }, ADMIN),
  ])
    expect(found).toMatchObject({ status: 200, body: { ...added.body, user: { username: 'user2' } } });
  expect(await call(sshKeyEndpoints.getOwn, one, BOB)).toMatchObject(missing);
  expect(await call(sshKeyEndpoints.deleteOwn, one, BOB)).toMatchObject(missing);
  expect(await call(gpgKeyEndpoints.getOwn, one, ADA)).toMatchObject({
    body: { message: '404 GPG Key Not Found' },
  });
  expect(await call(sshKeyEndpoints.deleteOwn, one, ADA)).toMatchObject({
    status: 204,
    events: [{ type: 'UserKeyDeleted', data: { userId: ADA } }],
  });
  expect(await call(getAnySshKey, one, ADMIN)).toMatchObject(missing);
});

test('users keep keys of OpenPGP, which tell whom they belong to', async () => {
  const { call } = await start();
  const key = await newPgpKey('Ada', 'user2@example.org');
  const added = await call(gpgKeyEndpoints.createOwn, { key: `\n${key}\n` }, ADA);
  expect(added).toMatchObject({
    status: 201,
    body: { key: key.trim() },
    events: [
      {
        type: 'UserKeyCreated',
        data: {
          kind: 'gpg',
          keyIds: (await readPgpKey(key))!.keyIds,
          identities: [{ name: 'Ada', email: 'user2@example.org' }],
        },
      },
    ],
  });
  expect((await call(gpgKeyEndpoints.list, { id: ADA }, null)).body).toEqual([added.body]);
  const one = { id: ADA, key_id: added.body.id };
  expect((await call(gpgKeyEndpoints.delete, one, BOB)).status).toBe(403);
  expect((await call(gpgKeyEndpoints.delete, one, ADMIN)).status).toBe(204);
});

test('a key has one owner, until it is deleted', async () => {
  const { call } = await start();
  const wanted = { title: 'Shared', key: newSshKey() };
  const taken = { status: 400, body: { message: { fingerprint: ['has already been taken'] } }, events: [] };
  const both = await Promise.all([ADA, BOB].map((id) => call(sshKeyEndpoints.createOwn, wanted, id)));
  expect(both.map(({ status }) => status).sort()).toEqual([201, 400]);
  expect(await call(sshKeyEndpoints.create, { id: BOB, ...wanted }, ADMIN)).toMatchObject(taken);
  const first = both.find(({ status }) => status === 201)!;
  const owner = (first.events[0]!.data as { userId: number }).userId;
  await call(sshKeyEndpoints.delete, { id: owner, key_id: first.body.id }, ADMIN);
  expect((await call(sshKeyEndpoints.create, { id: BOB, ...wanted }, ADMIN)).status).toBe(201);
});

test('what is no key, or has expired, is refused', async () => {
  const { call } = await start();
  const key = newSshKey();
  for (const [params, message] of [
    [{ title: 'x', key: 'ssh-ed25519 AAAA' }, { key: ['is invalid'] }],
    [{ title: 'x', key: `${key}\n${newSshKey()}` }, { key: ['is invalid'] }],
    [{ title: ' ', key }, { title: ["can't be blank"] }],
    [{ title: 'x', key, expires_at: '2020-01-01T00:00:00Z' }, { key: ['has expired'] }],
  ] as const)
    expect(await call(sshKeyEndpoints.createOwn, params, ADA)).toMatchObject({
      ...{ status: 400, body: { message }, events: [] },
    });
  expect((await call(gpgKeyEndpoints.createOwn, { key }, ADA)).body).toEqual({
    message: { key: ['is invalid'] },
  });
  expect((await call(sshKeyEndpoints.list, { id: 'nobody' }, ADA)).body).toEqual({
    message: '404 User Not Found',
  });
});

test('a signature is told its key, the owner, and who has its e-mail address', async () => {
  const { call, ports } = await start();
  const key = newSshKey();
  await call(sshKeyEndpoints.createOwn, { title: 'Laptop', key }, ADA);
  const find = (keyIds: string[], email: string, kind: 'ssh' | 'gpg' = 'ssh') =>
    ports.operations.call(findSigningKey, { kind, keyIds, email }, { principal: null });
  const { fingerprint } = readSshKey(key)!;
  expect(await find(['x', fingerprint], 'USER3@example.org')).toMatchObject({
    key: { userId: ADA, key, email: 'user2@example.org', confirmed: true },
    userOfEmail: BOB,
  });
  expect(await find([fingerprint], 'nobody@example.org', 'gpg')).toEqual({ key: null, userOfEmail: null });
  expect(await find([], 'user2@example.org')).toEqual({ key: null, userOfEmail: ADA });
});
