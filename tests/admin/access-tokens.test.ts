import { recordTokenUses } from '@forgelog/contracts/admin/access-tokens/access-token.operations.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { newEventId } from '@forgelog/eventing/event-id.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createToken, createUser, type TestUser } from '../support/accounts.ts';
import { eventually } from '../support/eventually.ts';
import { type Forgelog, forgelogForTest, startForgelog } from '../support/forgelog.ts';

let forgelog: Forgelog;
let ada: TestUser;
let bob: TestUser;
let now = new Date('2026-03-01T12:00:00Z');
beforeAll(async () => {
  forgelog = await startForgelog({ clock: () => now });
  ada = await createUser(forgelog, { username: 'ada' });
  bob = await createUser(forgelog, { username: 'bob' });
});
afterAll(() => forgelog.stop());

const works = async (token: string) => (await forgelog.get('/user', { token })).status === 200;

test('a token is shown once, and only its hash is kept', async () => {
  const { status, body } = await forgelog.post(`/users/${ada.id}/personal_access_tokens`, {
    name: 'laptop',
    scopes: ['api', 'read_user', 'api'],
    expires_at: '2026-04-01',
  });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    name: 'laptop',
    scopes: ['api', 'read_user'],
    user_id: ada.id,
    active: true,
    revoked: false,
    expires_at: '2026-04-01',
    last_used_at: null,
  });
  expect(body.token).toMatch(/^flpat-[\w-]{32}$/);
  expect(await works(body.token)).toBe(true);
  const { token, ...rest } = body;
  const list = await forgelog.get('/personal_access_tokens', { token: ada.token });
  expect(list.body).toContainEqual(rest);
  const log = JSON.stringify(await forgelog.system.store.readAll({ after: '', limit: 10_000 }));
  expect(log).not.toContain(token);
});

test('a revoked token is out at once; only its owner and administrators revoke', async () => {
  const token = await createToken(forgelog, ada.id);
  const { body } = await forgelog.get(`/personal_access_tokens?user_id=${ada.id}`);
  const { id } = body.at(-1);
  const missing = { status: 404, body: { message: '404 Personal Access Token Not Found' } };
  expect(await forgelog.delete(`/personal_access_tokens/${id}`, { token: bob.token })).toMatchObject(missing);
  expect(await forgelog.delete('/personal_access_tokens/4711')).toMatchObject(missing);
  expect(await works(token)).toBe(true);
  expect((await forgelog.delete(`/personal_access_tokens/${id}`, { token: ada.token })).status).toBe(204);
  expect(await works(token)).toBe(false);
  expect((await forgelog.delete(`/personal_access_tokens/${id}`)).status).toBe(204);
  const after = await forgelog.get(`/personal_access_tokens?user_id=${ada.id}`);
  expect(after.body.at(-1)).toMatchObject({ id, revoked: true, active: false });
});

test('a token shows itself, whatever its scopes', async () => {
  const self = '/personal_access_tokens/self';
  for (const scope of ['api', 'read_user', 'read_repository', 'write_registry', 'sudo']) {
    const token = await createToken(forgelog, ada.id, [scope]);
    const { status, body } = await forgelog.get(self, { token });
    expect([status, body]).toMatchObject([200, { scopes: [scope], user_id: ada.id, active: true }]);
    expect(body).not.toHaveProperty('token');
    const head = await forgelog.call('HEAD', self, { token });
    expect(head.status).toBe(200);
    await forgelog.delete(`/personal_access_tokens/${body.id}`);
    expect((await forgelog.get(self, { token })).status).toBe(401);
    expect((await forgelog.get(`/personal_access_tokens/${body.id}`)).body).toMatchObject({ revoked: true });
  }
  expect((await forgelog.get(self, { token: null })).status).toBe(401);
  // The administrator's token shows itself, also where they act for somebody else.
  const acting = await forgelog.get(self, { headers: { Sudo: 'bob' } });
  expect(acting.body.user_id).toBe(1);
});

test('a token works until the day on which it expires', async () => {
  const token = await createToken(forgelog, bob.id, ['api'], '2026-03-02');
  const old = await createToken(forgelog, bob.id, ['api'], '2026-03-01');
  expect(await works(old)).toBe(false);
  now = new Date('2026-03-01T23:59:59Z');
  expect(await works(token)).toBe(true);
  now = new Date('2026-03-02T00:00:00Z');
  expect(await works(token)).toBe(false);
  const { body } = await forgelog.get(`/personal_access_tokens?user_id=${bob.id}`);
  expect(body.at(-1)).toMatchObject({ expires_at: '2026-03-01', revoked: false, active: false });
});

test('blocking puts tokens out of use, unblocking back; deleting for good', async () => {
  const { id, token } = await createUser(forgelog);
  await forgelog.post(`/users/${id}/block`);
  expect(await works(token)).toBe(false);
  await forgelog.post(`/users/${id}/unblock`);
  expect(await works(token)).toBe(true);
  await forgelog.delete(`/users/${id}`);
  expect((await forgelog.get('/user', { token })).body).toEqual({ message: '401 Unauthorized' });
});

test('the last use of a token is shown, and is one event in ten minutes', async () => {
  const forgelog = await forgelogForTest({ environment: { TOKEN_USE_MINUTES: '10' } });
  const ada = await createUser(forgelog);
  const seen = async () =>
    (await forgelog.get('/personal_access_tokens/self', { token: ada.token })).body.last_used_at;
  const before = Date.now();
  await eventually('the use is shown', seen, { until: (at) => at !== null });
  const at = await seen();
  expect(Date.parse(at)).toBeGreaterThanOrEqual(before - 1_000);
  expect((await forgelog.get('/personal_access_tokens?user_id=1')).body[0].last_used_at).not.toBeNull();

  const { operations } = forgelog.portsOf('admin');
  const again = (usedAt: Date) =>
    operations.call(
      recordTokenUses,
      { uses: [{ tokenId: 2, usedAt: usedAt.toISOString() }] },
      { principal: null, operationId: newEventId(), metadata: SYSTEM_METADATA },
    );
  await again(new Date(Date.parse(at) + 9 * 60_000));
  expect(await seen()).toBe(at);
  const later = new Date(Date.parse(at) + 10 * 60_000);
  await again(later);
  expect(await seen()).toBe(later.toISOString());
});
