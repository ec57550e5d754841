import { ensureFirstAdministrator } from '@forgelog/admin/first-administrator.ts';
import { expect, test } from 'vitest';
import { createUser } from '../support/accounts.ts';
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

test('another ROOT_TOKEN ends the one before, and no token that people made; a revoked one stays revoked', async () => {
  const forgelog = await forgelogForTest();
  const { ports } = forgelog.system;
  const { body: made } = await forgelog.post('/users/1/personal_access_tokens', {
    ...{ name: 'ROOT_TOKEN', scopes: ['api'], expires_at: '2099-01-01' },
  });
  const ROOT_TOKEN = 'another-root-token-of-the-tests';
  const lines: unknown[][] = [];
  const log = { warn: (...line: unknown[]) => void lines.push(line) } as unknown as typeof ports.log;
  const start = (token: string) =>
    ensureFirstAdministrator({ ...ports, log, configuration: { ...ports.configuration, ROOT_TOKEN: token } });
  await start(ROOT_TOKEN);
  expect((await forgelog.get('/user', { token: ROOT_TOKEN })).body.username).toBe('root');
  expect((await forgelog.get('/user', { token: forgelog.rootToken })).status).toBe(401);
  expect((await forgelog.get('/user', { token: made.token })).status).toBe(200);
  expect(lines).toEqual([[{ tokenId: 1 }, expect.stringContaining('ROOT_TOKEN was changed')]]);

  await start(forgelog.rootToken);
  expect((await forgelog.get('/user', { token: forgelog.rootToken })).status).toBe(401);
  expect((await forgelog.get('/user', { token: ROOT_TOKEN })).status).toBe(200);
  expect(lines.at(-1)).toEqual([{ tokenId: 1 }, expect.stringContaining('opens nothing')]);
});

test('a start says that ROOT_TOKEN opens nothing while root is blocked', async () => {
  const forgelog = await forgelogForTest();
  const { ports } = forgelog.system;
  const admin = await createUser(forgelog, { admin: true });
  await forgelog.post('/users/1/block', {}, { token: admin.token });
  const lines: unknown[] = [];
  const log = { warn: (line: unknown) => void lines.push(line) } as unknown as typeof ports.log;
  await ensureFirstAdministrator({ ...ports, log });
  expect(lines).toEqual([expect.stringContaining('reset-root')]);
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
