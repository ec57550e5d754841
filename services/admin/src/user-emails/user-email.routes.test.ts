import {
  addEmail,
  addOwnEmail,
  askToConfirmEmail,
  confirmEmail,
  deleteEmail,
  deleteOwnEmail,
  getOwnEmail,
  listEmails,
  listOwnEmails,
} from '@forgelog/contracts/admin/user-emails/user-email.api.ts';
import { gpgKeyEndpoints } from '@forgelog/contracts/admin/user-keys/user-key.api.ts';
import { findSigningKey } from '@forgelog/contracts/admin/user-keys/user-key.operations.ts';
import { deleteUser, updateUser } from '@forgelog/contracts/admin/users/user.api.ts';
import { emailConfirmations } from '@forgelog/service-kit/email-confirmation.ts';
import { readPgpKey } from '@forgelog/signatures/pgp-key.ts';
import { newPgpKey } from '@forgelog/signatures/testing/sample-keys.ts';
import { userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { userKeySlice } from '../user-keys/user-key.slice.ts';
import { userSlice } from '../users/user.slice.ts';
import { userEmailSlice } from './user-email.slice.ts';

const ADMIN = 1;
const ADA = 2;
const BOB = 3;
const given = [userCreated(ADMIN, { admin: true }), userCreated(ADA), userCreated(BOB)];
const start = () => startSlices([userSlice, userEmailSlice, userKeySlice], given);
const email = 'ada@engines.example';
const MISSING = { status: 404, body: { message: '404 Email Not Found' }, events: [] };
const TAKEN = { status: 400, body: { message: { email: ['has already been taken'] } }, events: [] };

test('a user adds an address, which others neither see nor get', async () => {
  const { call } = await start();
  const added = await call(addOwnEmail, { email }, ADA);
  expect(added).toMatchObject({
    ...{ status: 201, body: { email, confirmed_at: null } },
    events: [{ type: 'NameClaimed' }, { type: 'UserEmailCreated', data: { userId: ADA, email } }],
  });
  const one = { email_id: added.body.id };
  expect((await call(listOwnEmails, {}, ADA)).body).toEqual([added.body]);
  expect((await call(getOwnEmail, one, ADA)).body).toEqual(added.body);
  expect((await call(listEmails, { id: ADA }, ADMIN)).body).toEqual([added.body]);
  expect((await call(listEmails, { id: ADA }, ADA)).status).toBe(403);
  for (const endpoint of [getOwnEmail, deleteOwnEmail])
    expect(await call(endpoint, one, BOB)).toMatchObject(MISSING);
  expect(await call(deleteEmail, { id: BOB, ...one }, ADMIN)).toMatchObject(MISSING);
  expect((await call(listEmails, { id: 99 }, ADMIN)).body).toEqual({ message: '404 User Not Found' });
  expect(await call(deleteOwnEmail, one, ADA)).toMatchObject({
    status: 204,
    events: [{ type: 'UserEmailDeleted' }, { type: 'NameReleased' }],
  });
  expect(await call(getOwnEmail, one, ADA)).toMatchObject(MISSING);
});

test('an address is one user’s, whether of an account or beside it, until it is deleted', async () => {
  const { call } = await start();
  const both = await Promise.all([ADA, BOB].map((id) => call(addOwnEmail, { email }, id)));
  expect(both.map(({ status }) => status).sort()).toEqual([201, 400]);
  const won = both.findIndex(({ status }) => status === 201);
  const [owner, other] = won === 0 ? [ADA, BOB] : [BOB, ADA];
  for (const id of [owner, other])
    expect(await call(addOwnEmail, { email: email.toUpperCase() }, id)).toMatchObject(TAKEN);
  expect(await call(updateUser, { id: other, email }, ADMIN)).toMatchObject({
    ...{ status: 409, body: { message: 'Email has already been taken' }, events: [] },
  });
  await call(deleteEmail, { id: owner, email_id: both[won]!.body.id }, ADMIN);
  expect((await call(addOwnEmail, { email }, other)).status).toBe(201);
  await call(deleteUser, { id: other, hard_delete: true }, ADMIN);
  expect((await call(updateUser, { id: owner, email }, ADMIN)).body).toMatchObject({ email });
  expect(await call(addOwnEmail, { email }, owner)).toMatchObject(TAKEN);
});

test('the same address added twice at once is there once, and stays taken', async () => {
  const { call } = await start();
  const both = await Promise.all([1, 2].map(() => call(addOwnEmail, { email }, ADA)));
  expect(both.map(({ status }) => status).sort()).toEqual([201, 400]);
  expect((await call(listOwnEmails, {}, ADA)).body).toHaveLength(1);
  expect(await call(addOwnEmail, { email }, BOB)).toMatchObject(TAKEN);
});

test('an administrator adds confirmed addresses, and confirms those that wait', async () => {
  const { call } = await start();
  const sure = { id: ADA, skip_confirmation: true };
  const added = await call(addEmail, { ...sure, email: 'ada@one.example' }, ADMIN);
  expect(added.body.confirmed_at).not.toBeNull();
  const waiting = (await call(addOwnEmail, { email }, ADA)).body;
  const confirmed = await call(addEmail, { ...sure, email }, ADMIN);
  expect(confirmed).toMatchObject({ status: 201, events: [{ type: 'UserEmailConfirmed' }] });
  expect(confirmed.body).toMatchObject({ id: waiting.id, confirmed_at: expect.any(String) });
  expect(await call(addEmail, { ...sure, email }, ADMIN)).toMatchObject(TAKEN);
  expect((await call(addEmail, { ...sure, email }, ADA)).status).toBe(403);
});

test('the link in a mail confirms once it is used, and only what was signed', async () => {
  const { call, ports } = await start();
  const { id: userEmailId } = (await call(addOwnEmail, { email: 'a&b@engines.example' }, ADA)).body;
  const token = emailConfirmations(ports.configuration).of({ userId: ADA, userEmailId });
  const asked = await call(askToConfirmEmail, { token }, null);
  expect(asked).toMatchObject({ status: 200, events: [] });
  expect(Buffer.from(asked.body).toString()).toContain('a&#38;b@engines.example');
  expect((await call(getOwnEmail, { email_id: userEmailId }, ADA)).body.confirmed_at).toBeNull();
  const forged = emailConfirmations({
    ...ports.configuration,
    SECRET_KEY: 'another key of 32 letters or more',
  });
  for (const wrong of [token.replace('2-', '3-'), 'x', forged.of({ userId: ADA, userEmailId })])
    for (const endpoint of [askToConfirmEmail, confirmEmail])
      expect(await call(endpoint, { token: wrong }, null)).toMatchObject(MISSING);
  expect((await call(confirmEmail, { token }, null)).events).toMatchObject([{ type: 'UserEmailConfirmed' }]);
  expect((await call(confirmEmail, { token }, null)).events).toEqual([]);
  await call(deleteOwnEmail, { email_id: userEmailId }, ADA);
  expect(await call(confirmEmail, { token }, null)).toMatchObject(MISSING);
});

test('a confirmed address says whose commits are, and one that waits does not', async () => {
  const { call, ports } = await start();
  const key = await newPgpKey('Ada', email);
  await call(gpgKeyEndpoints.createOwn, { key }, ADA);
  const { keyIds } = (await readPgpKey(key))!;
  const find = (wanted: string) =>
    ports.operations.call(findSigningKey, { kind: 'gpg', keyIds, email: wanted }, { principal: null });
  const { id: email_id } = (await call(addOwnEmail, { email }, ADA)).body;
  expect(await find(email)).toMatchObject({ key: { email: 'user2@example.org' }, userOfEmail: null });
  expect(await ports.directory.userByEmail(email)).toBeUndefined();
  await call(addEmail, { id: ADA, email, skip_confirmation: true }, ADMIN);
  for (const wanted of [email.toUpperCase(), 'nobody@example.org'])
    expect((await find(wanted)).key).toMatchObject({ email, confirmed: true });
  expect((await find(email)).userOfEmail).toBe(ADA);
  expect((await ports.directory.userByEmail(email.toUpperCase()))?.id).toBe(ADA);
  expect(await ports.directory.emailsOf(ADA)).toEqual(['user2@example.org', email]);
  await call(deleteOwnEmail, { email_id }, ADA);
  expect(await ports.directory.userByEmail(email)).toBeUndefined();
});

test('the address of an account changes to one that the user has, and the former one is free', async () => {
  const { call } = await start();
  await call(addEmail, { id: ADA, email, skip_confirmation: true }, ADMIN);
  const changed = await call(updateUser, { id: ADA, email }, ADMIN);
  expect(changed.body).toMatchObject({ email, confirmed_at: expect.any(String) });
  expect((await call(listOwnEmails, {}, ADA)).body).toEqual([]);
  expect(await call(addOwnEmail, { email }, BOB)).toMatchObject(TAKEN);
  expect((await call(addOwnEmail, { email: 'user2@example.org' }, BOB)).status).toBe(201);
});
