import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFixtures, type Fixtures, type Person, type Placed } from '../support/fixtures.ts';
import { type Forgelog, forgelogForTest, startForgelog } from '../support/forgelog.ts';

let forgelog: Forgelog;
let make: Fixtures;
let owner: Person;
let zoe: Person;
let adam: Person;
let top: Placed;
let sub: Placed;
let project: Placed;
let path: string;

beforeAll(async () => {
  let now = Date.parse('2030-01-01T00:00:00Z');
  // Each event has a time of its own, so that orders by time are told apart.
  forgelog = await startForgelog({ clock: () => new Date(now++) });
  make = createFixtures(forgelog);
  owner = await make.person('olga', { name: 'Olga' });
  zoe = await make.person('zoe', { name: 'Zoe', publicEmail: true });
  adam = await make.person('adam', { name: 'Adam' });
  const bot = await make.bot('bot');
  const blocked = await make.person('blake');
  const minimal = await make.person('minnie');
  top = await make.group('acme', owner);
  sub = await make.group('sub', null, { parent: top });
  project = await make.project('app', sub);
  path = `/groups/${top.id}/billable_members`;
  await add(`/groups/${top.id}`, bot, 30);
  await add(`/groups/${top.id}`, minimal, 5);
  await add(`/groups/${top.id}`, blocked, 30);
  await forgelog.post(`/users/${blocked.id}/block`);
  await add(`/groups/${sub.id}`, zoe, 20);
  await add(`/projects/${project.id}`, adam, 10);
  await add(`/projects/${project.id}`, zoe, 40, { expires_at: '2999-12-31' });
});
afterAll(() => forgelog.stop());

const add = (place: string, user: Pick<Person, 'id'>, access_level: number, more: object = {}) =>
  forgelog.post(`${place}/members`, { user_id: user.id, access_level, ...more }, owner);
const names = async (query: string) =>
  (await forgelog.get(`${path}?${query}`, owner)).body.map(({ name }: { name: string }) => name);

test('everybody in the hierarchy takes one seat', async () => {
  const { body, headers } = await forgelog.get(path, owner);
  expect(headers.get('x-total')).toBe('3');
  expect(body).toMatchObject([
    { id: adam.id, membership_type: 'project_member', removable: true, email: null },
    { id: owner.id, membership_type: 'group_member', removable: false, last_activity_on: null },
    { id: zoe.id, membership_type: 'group_member', removable: true, email: 'zoe@example.org' },
  ]);
});

test('they are searched and sorted', async () => {
  expect(await names('search=ZO')).toEqual(['Zoe']);
  expect(await names('search=zoe@ex')).toEqual(['Zoe']);
  expect(await names('search=adam@example.org')).toEqual(['Adam']);
  expect(await names('search=adam@ex')).toEqual([]);
  const orders: Record<string, string[]> = {
    name_asc: ['Adam', 'Olga', 'Zoe'],
    name_desc: ['Zoe', 'Olga', 'Adam'],
    access_level_asc: ['Adam', 'Zoe', 'Olga'],
    access_level_desc: ['Olga', 'Zoe', 'Adam'],
    last_joined: ['Zoe', 'Adam', 'Olga'],
    oldest_joined: ['Olga', 'Zoe', 'Adam'],
  };
  for (const [sort, expected] of Object.entries(orders))
    expect(await names(`sort=${sort}`), sort).toEqual(expected);
  for (const sort of ['oldest_sign_in', 'recent_sign_in', 'last_activity_on_asc', 'last_activity_on_desc'])
    expect(await names(`sort=${sort}`)).toHaveLength(3);
  expect((await forgelog.get(`${path}?sort=id`, owner)).status).toBe(400);
  expect(await names('per_page=1&page=2')).toEqual(['Olga']);
});

test('the memberships of one are told with their places', async () => {
  const { body } = await forgelog.get(`${path}/${zoe.id}/memberships`, owner);
  expect(body).toMatchObject([
    {
      source_id: sub.id,
      source_full_name: 'acme / sub',
      source_members_url: `${forgelog.url}/groups/acme/sub/-/group_members`,
      expires_at: null,
      access_level: { string_value: 'Reporter', integer_value: 20 },
    },
    {
      source_id: project.id,
      source_full_name: 'acme / sub / app',
      source_members_url: `${forgelog.url}/acme/sub/app/-/project_members`,
      expires_at: '2999-12-31',
      access_level: { string_value: 'Maintainer', integer_value: 40 },
    },
  ]);
  expect((await forgelog.get(`${path}/1/memberships`, owner)).status).toBe(404);
});

test('only owners of top-level groups see it, and only where the tier has it', async () => {
  expect((await forgelog.get(`/groups/${sub.id}/billable_members`, zoe)).status).toBe(403);
  expect((await forgelog.get(path, zoe)).status).toBe(403);
  expect((await forgelog.get(path, { token: null })).status).toBe(401);
  for (const reply of [
    await forgelog.get(`/groups/${sub.id}/billable_members`, owner),
    await forgelog.get(`/groups/${sub.id}/billable_members/${zoe.id}/memberships`, owner),
    await forgelog.delete(`/groups/${sub.id}/billable_members/${zoe.id}`, owner),
  ])
    expect(reply).toMatchObject({ status: 400, body: { message: '400 Bad request' } });
  const free = await forgelogForTest({ environment: { EDITION: 'free' } });
  expect((await free.get('/groups/1/billable_members')).body).toEqual({ error: '404 Not Found' });
});

test('removing ends every membership in the hierarchy, and no other', async () => {
  const ines = await make.person('ines');
  const elsewhere = await make.group('elsewhere', owner);
  for (const place of [`/groups/${sub.id}`, `/projects/${project.id}`, `/groups/${elsewhere.id}`])
    await add(place, ines, 40);
  expect((await forgelog.delete(`${path}/${ines.id}`, owner)).status).toBe(204);
  expect((await forgelog.get(`/projects/${project.id}/members`, ines)).status).toBe(404);
  expect((await forgelog.get(`/groups/${elsewhere.id}/members/${ines.id}`, ines)).status).toBe(200);
  expect(await forgelog.delete(`${path}/${ines.id}`, owner)).toMatchObject({
    status: 404,
    body: { message: '404 User Not Found' },
  });
  expect((await forgelog.delete(`${path}/${owner.id}`, owner)).status).toBe(403);
});
