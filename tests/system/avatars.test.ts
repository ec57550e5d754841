import { afterAll, beforeAll, expect, test } from 'vitest';
import { createUser } from '../support/accounts.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { AVATAR, formWith } from '../support/form-with.ts';

let forgelog: Forgelog;
beforeAll(async () => {
  forgelog = await startForgelog();
});
afterAll(() => forgelog.stop());

const IMAGE = Buffer.from(AVATAR.content as Uint8Array);

interface Kind {
  kind: 'user' | 'group' | 'project';
  create: (form: FormData) => Promise<{ id: number; avatar_url: string }>;
  path: (id: number) => string;
}

const KINDS: readonly Kind[] = [
  {
    kind: 'user',
    create: (form) => {
      const account = { username: 'pictured', name: 'Pictured', email: 'pictured@example.org' };
      for (const [name, value] of Object.entries(account)) form.set(name, value);
      form.set('force_random_password', 'true');
      return made('/users', form);
    },
    path: (id) => `/users/${id}`,
  },
  {
    kind: 'group',
    create: (form) => {
      form.set('name', 'Pictured group');
      form.set('path', 'pictured-group');
      return made('/groups', form);
    },
    path: (id) => `/groups/${id}`,
  },
  {
    kind: 'project',
    create: (form) => {
      form.set('path', 'pictured-project');
      return made('/projects', form);
    },
    path: (id) => `/projects/${id}`,
  },
];

async function made(path: string, form: FormData) {
  const { status, body, text } = await forgelog.post(path, form);
  expect(status, text).toBe(201);
  return body;
}

const asked = (address: string, token: string | null = forgelog.rootToken) =>
  fetch(address, { headers: token === null ? {} : { 'PRIVATE-TOKEN': token } });
const objectsOf = async ({ kind }: Kind, id: number) =>
  Array.fromAsync(
    forgelog.portsOf(kind === 'project' ? 'repo' : 'admin').objects.list(`avatars/${kind}/${id}/`),
  );

test.for(KINDS)('the avatar of a $kind comes, changes and goes', async (one) => {
  const { kind, create, path } = one;
  const { id, avatar_url: first } = await create(formWith(AVATAR));
  expect(first).toMatch(
    new RegExp(`^${forgelog.url}/uploads/-/system/${kind}/avatar/${id}/[0-9a-f]{32}\\.png$`),
  );
  for (const address of [first, `${forgelog.url}/api/v4${path(id)}/avatar`]) {
    const answer = await asked(address);
    expect([answer.status, answer.headers.get('content-type')], address).toEqual([200, 'image/png']);
    expect(Buffer.from(await answer.arrayBuffer()).equals(IMAGE)).toBe(true);
    // Only what may be seen has an avatar that may be seen.
    expect((await asked(address, null)).status).toBe(kind === 'user' ? 200 : 404);
  }
  const changed = await forgelog.put(path(id), formWith(AVATAR));
  expect(changed.status).toBe(200);
  expect(changed.body.avatar_url).not.toBe(first);
  expect((await forgelog.get(path(id))).body.avatar_url).toBe(changed.body.avatar_url);
  await expect.poll(async () => (await objectsOf(one, id)).length).toBe(1);
  for (const wrong of ['<svg onload="alert(1)">', new Uint8Array(IMAGE.length + 200 * 1024).fill(0)])
    expect(await forgelog.put(path(id), formWith({ ...AVATAR, content: wrong }))).toMatchObject({
      status: 400,
      body: { message: { avatar: [expect.any(String)] } },
    });
  expect((await forgelog.get(path(id))).body.avatar_url).toBe(changed.body.avatar_url);
  expect((await forgelog.put(path(id), { avatar: '' })).body.avatar_url).toBeNull();
  expect((await asked(changed.body.avatar_url)).status).toBe(404);
  await expect.poll(() => objectsOf(one, id)).toEqual([]);
  await forgelog.put(path(id), formWith(AVATAR));
  expect(await objectsOf(one, id)).toHaveLength(1);
  await forgelog.delete(path(id) + (kind === 'user' ? '?hard_delete=true' : ''));
  await expect.poll(() => objectsOf(one, id)).toEqual([]);
});

test('an avatar is shown wherever its owner is', async () => {
  const { id, username, token } = await createUser(forgelog, { username: 'shown' });
  const { avatar_url } = (await forgelog.put(`/users/${id}`, formWith(AVATAR))).body;
  const project = (await forgelog.post('/projects', { path: 'of-shown' }, { token })).body;
  expect(project.owner.avatar_url).toBe(avatar_url);
  expect(project.namespace).toMatchObject({ kind: 'user', path: username, avatar_url });
  const group = (await forgelog.post('/groups', formWith(AVATAR, { name: 'shown', path: 'shown-group' })))
    .body;
  const inside = (await forgelog.post('/projects', { path: 'inside', namespace_id: group.id })).body;
  expect(inside.namespace).toMatchObject({ kind: 'group', avatar_url: group.avatar_url });
  const { body: listed } = await forgelog.get('/groups?all_available=true&per_page=100');
  expect(listed).toContainEqual(expect.objectContaining({ id: group.id, avatar_url: group.avatar_url }));
});

test('an avatar is found by the e-mail address that its user shows', async () => {
  const { id, email } = await createUser(forgelog, { username: 'mailed' });
  const { avatar_url } = (await forgelog.put(`/users/${id}`, formWith(AVATAR))).body;
  const find = async (address: string) =>
    (await forgelog.get(`/avatar?email=${encodeURIComponent(address)}`, { token: null })).body.avatar_url;
  expect(await find(email), 'of an address that is not shown').toBeNull();
  await forgelog.put(`/users/${id}`, { public_email: email });
  expect(await find(email.toUpperCase())).toBe(avatar_url);
  expect(await find('nobody@example.org')).toBeNull();
  await forgelog.post(`/users/${id}/block`);
  expect(await find(email)).toBeNull();
});
