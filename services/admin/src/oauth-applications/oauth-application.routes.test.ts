import {
  createOauthApplication,
  deleteOauthApplication,
  listOauthApplications,
} from '@forgelog/contracts/admin/oauth-applications/oauth-application.api.ts';
import { userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { sha256 } from '../shared/sha256.ts';
import { oauthApplicationSlice } from './oauth-application.slice.ts';

const ADMIN = 1;
const ADA = 2;
const given = [userCreated(ADMIN, { admin: true }), userCreated(ADA)];
const wanted = {
  name: 'Dashboard',
  redirect_uri: 'https://dashboard.example/callback\r\nmyapp://callback\n',
  scopes: 'api  read_user api',
};

test('an administrator registers a program, whose secret is in this answer and nowhere else', async () => {
  const { call } = await startSlices([oauthApplicationSlice], given);
  const created = await call(createOauthApplication, wanted, ADMIN);
  const { secret, ...shown } = created.body;
  expect(shown).toEqual({
    ...{ id: 1, application_id: expect.stringMatching(/^[0-9a-f]{64}$/), application_name: 'Dashboard' },
    ...{ callback_url: 'https://dashboard.example/callback\nmyapp://callback', confidential: true },
  });
  expect(created).toMatchObject({
    status: 201,
    events: [{ data: { scopes: ['api', 'read_user'], secretSha256: sha256(secret) } }],
  });
  expect(JSON.stringify(created.events)).not.toContain(secret);
  expect((await call(listOauthApplications, {}, ADMIN)).body).toEqual([shown]);
  expect((await call(deleteOauthApplication, { id: 1 }, ADMIN)).status).toBe(204);
  expect((await call(listOauthApplications, {}, ADMIN)).body).toEqual([]);
  expect(await call(deleteOauthApplication, { id: 1 }, ADMIN)).toMatchObject({
    status: 404,
    body: { message: '404 Application Not Found' },
    events: [],
  });
});

test('others than administrators, and wrong programs, change nothing', async () => {
  const { call } = await startSlices([oauthApplicationSlice], given);
  const answers = [];
  for (const by of [ADA, null])
    for (const [endpoint, params] of [
      [listOauthApplications, {}],
      [createOauthApplication, wanted],
      [deleteOauthApplication, { id: 1 }],
    ] as const)
      answers.push(await call(endpoint, params, by));
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 401, 401, 401]);
  const uris = [
    '/callback',
    'https://a.example/#x',
    'javascript:alert(1)',
    'https://a.example/ä',
    ' ',
    'DATA:x',
  ];
  for (const redirect_uri of uris)
    answers.push(await call(createOauthApplication, { ...wanted, redirect_uri }, ADMIN));
  for (const wrong of [{ scopes: 'api all' }, { scopes: ' ' }, { name: ' ' }])
    answers.push(await call(createOauthApplication, { ...wanted, ...wrong }, ADMIN));
  expect(answers.slice(6).map(({ status, body }) => [status, body.message])).toEqual([
    [400, { redirect_uri: ['must be an absolute URI'] }],
    [400, { redirect_uri: ['cannot contain a fragment'] }],
    [400, { redirect_uri: ['is of a forbidden scheme'] }],
    [400, { redirect_uri: ['must be an absolute URI'] }],
    [400, { redirect_uri: ["can't be blank"] }],
    [400, { redirect_uri: ['is of a forbidden scheme'] }],
    [400, { scopes: [expect.stringContaining('read_user')] }],
    [400, { scopes: ["can't be blank"] }],
    [400, { name: ["can't be blank"] }],
  ]);
  expect(answers.flatMap(({ events }) => events)).toEqual([]);
});
