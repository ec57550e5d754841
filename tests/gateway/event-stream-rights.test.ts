import { afterAll, beforeAll, expect, test } from 'vitest';
import { createToken, createUser, type TestUser } from '../support/accounts.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';

let forgelog: Forgelog;
let now = new Date('2026-03-01T12:00:00Z');
beforeAll(async () => {
  forgelog = await startForgelog({ clock: () => now });
});
afterAll(() => forgelog.stop());

interface Subscriber {
  headers: Record<string, string>;
  admin: TestUser;
}

const subscriber = async (expires_at?: string): Promise<Subscriber> => {
  const admin = await createUser(forgelog, { admin: true });
  const token = await createToken(forgelog, admin.id, ['api', 'sudo'], expires_at);
  return { admin, headers: { 'PRIVATE-TOKEN': token } };
};

/** Everything that one is sent from now on until the server ends the stream, once the stream has begun. */
async function followed({ headers }: Subscriber): Promise<{ text: Promise<string> }> {
  const [last] = (await forgelog.system.store.readAll({ after: '', limit: 10_000 })).slice(-1);
  const answer = await fetch(`${forgelog.url}/api/v4/event_stream?after=${last!.position}`, { headers });
  expect(answer.status).toBe(200);
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  const { value: greeting } = await reader.read();
  const rest = async () => {
    let text = greeting!;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return text;
      text += value;
    }
  };
  return { text: rest() };
}

const revoke = async ({ headers }: Subscriber) => {
  const token = headers['PRIVATE-TOKEN']!;
  const { body } = await forgelog.get('/personal_access_tokens/self', { token });
  expect((await forgelog.delete(`/personal_access_tokens/${body.id}`)).status).toBe(204);
};

const ENDS: readonly [how: string, end: (one: Subscriber) => Promise<unknown>][] = [
  ['the token is revoked', revoke],
  ['the user is blocked', ({ admin }) => forgelog.post(`/users/${admin.id}/block`)],
  ['the user is deleted', ({ admin }) => forgelog.delete(`/users/${admin.id}`)],
  ['the user is no administrator', ({ admin }) => forgelog.put(`/users/${admin.id}`, { admin: false })],
];

test.each(ENDS)('a stream ends when %s, before the next event', async (_, end) => {
  const one = await subscriber();
  const { text } = await followed(one);
  const before = await forgelog.post('/projects', { name: `before-${one.admin.id}` });
  await end(one);
  const after = await forgelog.post('/projects', { name: `after-${one.admin.id}` });
  expect([before.status, after.status]).toEqual([201, 201]);
  const sent = await text;
  expect(sent).toContain(`before-${one.admin.id}`);
  expect(sent).not.toContain(`after-${one.admin.id}`);
  expect(sent).toMatch(/^: the stream ends/m);
  const again = await fetch(`${forgelog.url}/api/v4/event_stream`, { headers: one.headers });
  expect([401, 403]).toContain(again.status);
});

test('a stream with sudo ends with the rights of either user', async () => {
  const one = await subscriber();
  const other = await createUser(forgelog, { admin: true });
  const { text } = await followed({ ...one, headers: { ...one.headers, Sudo: String(other.id) } });
  await forgelog.put(`/users/${other.id}`, { admin: false });
  await forgelog.post('/projects', { name: 'after-sudo' });
  expect(await text).not.toContain('after-sudo');
  const by = await subscriber();
  const whole = await createUser(forgelog, { admin: true });
  const next = await followed({ ...by, headers: { ...by.headers, Sudo: String(whole.id) } });
  await forgelog.put(`/users/${by.admin.id}`, { admin: false });
  await forgelog.post('/projects', { name: 'after-demotion' });
  expect(await next.text).not.toContain('after-demotion');
});

test('a stream ends when its token expires', async () => {
  const one = await subscriber('2026-03-02');
  const { text } = await followed(one);
  now = new Date('2026-03-02T00:00:00Z');
  await forgelog.post('/projects', { name: 'after-expiry' });
  expect(await text).not.toContain('after-expiry');
});
