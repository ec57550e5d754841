import { ensureFirstAdministrator } from '@forgelog/admin/first-administrator.ts';
import { expect, test } from 'vitest';
import { forgelogForTest } from '../support/forgelog.ts';

test('a further start adds nothing: no second root, token or password', async () => {
  const forgelog = await forgelogForTest({ environment: { ROOT_PASSWORD: 'first password' } });
  const { ports, store } = forgelog.system;
  const head = await store.head();
  const configuration = { ...ports.configuration, ROOT_PASSWORD: 'another password' };
  expect(await ensureFirstAdministrator({ ...ports, configuration })).toEqual({ madeToken: null });
  expect(
    await ensureFirstAdministrator({ ...ports, configuration: { ...configuration, ROOT_TOKEN: undefined } }),
  ).toEqual({
    madeToken: null,
  });
  expect(await store.head()).toBe(head);
});

test('another ROOT_TOKEN is a further token; a revoked one stays revoked', async () => {
  const forgelog = await forgelogForTest();
  const { ports } = forgelog.system;
  const ROOT_TOKEN = 'another-root-token-of-the-tests';
  const configuration = { ...ports.configuration, ROOT_TOKEN };
  await ensureFirstAdministrator({ ...ports, configuration });
  expect((await forgelog.get('/user', { token: ROOT_TOKEN })).body.username).toBe('root');
  const { body } = await forgelog.get('/personal_access_tokens');
  await forgelog.delete(`/personal_access_tokens/${body.at(-1).id}`);
  await ensureFirstAdministrator({ ...ports, configuration });
  expect((await forgelog.get('/user', { token: ROOT_TOKEN })).status).toBe(401);
});

test('without ROOT_TOKEN a token is made and shown by the first start', async () => {
  const forgelog = await forgelogForTest({ environment: { ROOT_TOKEN: '' } });
  const { madeToken } = forgelog.system;
  expect(madeToken).toMatch(/^flpat-/);
  expect((await forgelog.get('/user', { token: madeToken })).body).toMatchObject({ id: 1, is_admin: true });
});

test('the name root is taken, for users and for groups', async () => {
  const forgelog = await forgelogForTest();
  expect((await forgelog.post('/groups', { name: 'x', path: 'ROOT' })).status).toBe(400);
  const other = { username: 'root', name: 'x', email: 'x@example.org', reset_password: true };
  expect((await forgelog.post('/users', other)).body).toEqual({ message: 'Username has already been taken' });
  expect(
    (await forgelog.post('/users', { ...other, username: 'y', email: 'Admin@example.com' })).body,
  ).toEqual({
    message: 'Email has already been taken',
  });
});
