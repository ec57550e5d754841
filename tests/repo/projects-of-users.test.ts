import { afterAll, beforeAll, expect, test } from 'vitest';
import { createUser, type TestUser } from '../support/accounts.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { must } from '../support/must.ts';

let forgelog: Forgelog;
let ada: TestUser;
let ben: TestUser;
let open: number;
let closed: number;

beforeAll(async () => {
  forgelog = await startForgelog();
  ada = await createUser(forgelog, { username: 'ada' });
  ben = await createUser(forgelog, { username: 'ben' });
  const made = async (path: string, visibility: string) =>
    (await must(forgelog.post('/projects', { path, visibility }))).id as number;
  open = await made('open', 'public');
  closed = await made('closed', 'private');
  await made('other', 'public');
  await must(forgelog.post(`/projects/${closed}/members`, { user_id: ada.id, access_level: 30 }));
});
afterAll(() => forgelog.stop());

const ids = async (path: string, token?: string) => {
  const { status, body } = await forgelog.get(path, { token });
  expect(status).toBe(200);
  return body.map(({ id }: { id: number }) => id);
};

test('starred projects are those that the caller may see', async () => {
  for (const id of [open, closed]) await must(forgelog.post(`/projects/${id}/star`, {}, ada));
  expect(await ids('/users/ada/starred_projects', ada.token)).toEqual([closed, open]);
  expect(await ids(`/users/${ada.id}/starred_projects`, ben.token)).toEqual([open]);
  expect(await ids(`/users/${ben.id}/starred_projects`, ada.token)).toEqual([]);
  expect(await ids(`/users/${ada.id}/starred_projects?visibility=private`, ada.token)).toEqual([closed]);
  expect((await forgelog.get('/users/nobody/starred_projects')).status).toBe(404);
});

test('contributed projects are those in which a user did something', async () => {
  expect(await ids('/users/ada/contributed_projects')).toEqual([]);
  for (const id of [open, closed]) await must(forgelog.post(`/projects/${id}/issues`, { title: 'New' }, ada));
  await expect.poll(() => ids('/users/ada/contributed_projects', ada.token)).toEqual([closed, open]);
  expect(await ids('/users/ada/contributed_projects', ben.token)).toEqual([open]);
  expect(await ids('/users/ben/contributed_projects', ada.token)).toEqual([]);
});

test('a private profile tells nobody else', async () => {
  await must(forgelog.put(`/users/${ada.id}`, { private_profile: true }));
  for (const list of ['starred_projects', 'contributed_projects']) {
    const answer = await forgelog.get(`/users/${ada.id}/${list}`, { token: ben.token });
    expect([answer.status, answer.body]).toEqual([404, { message: '404 User Not Found' }]);
    expect((await forgelog.get(`/users/${ada.id}/${list}`, { token: ada.token })).status).toBe(200);
    expect((await forgelog.get(`/users/${ada.id}/${list}`)).status).toBe(200);
  }
  await must(forgelog.put(`/users/${ada.id}`, { private_profile: false }));
});
