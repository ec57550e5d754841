import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFixtures, type Fixtures, type Person, type Placed } from '../support/fixtures.ts';
import { type Forgelog, forgelogForTest, startForgelog } from '../support/forgelog.ts';

let forgelog: Forgelog;
let make: Fixtures;
let owner: Person;
let outsider: Person;
let project: Placed;
let path: string;

beforeAll(async () => {
  forgelog = await startForgelog();
  make = createFixtures(forgelog);
  owner = await make.person('olga');
  outsider = await make.person('otto');
  project = await make.project('tools', owner);
  path = `/projects/${project.id}/members`;
});
afterAll(() => forgelog.stop());

const add = (userId: number | string, access_level: number, more: object = {}, as: Person = owner) =>
  forgelog.post(path, { user_id: userId, access_level, ...more }, as);
const levels = (body: { id: number; access_level: number }[]) =>
  Object.fromEntries(body.map(({ id, access_level }) => [id, access_level]));

test('a member is added, read, changed and removed', async () => {
  const amy = await make.person('amy', { name: 'Amy Adams' });
  const added = await add(amy.id, 30, { expires_at: '2999-01-31', invite_source: 'api' });
  expect(added.status).toBe(201);
  expect(added.body).toEqual({
    id: amy.id,
    username: 'amy',
    name: 'Amy Adams',
    state: 'active',
    avatar_url: null,
    web_url: `${forgelog.url}/amy`,
    access_level: 30,
    created_at: expect.any(String),
    expires_at: '2999-01-31',
  });
  expect((await forgelog.get(`${path}/${amy.id}`, amy)).body).toEqual(added.body);
  const { created_at: _, ...listed } = added.body;
  expect((await forgelog.get(path, owner)).body).toContainEqual(listed);

  const kept = await forgelog.put(`${path}/${amy.id}`, { access_level: 20 }, owner);
  expect(kept.body).toEqual({ ...added.body, access_level: 20 });
  const timed = { access_level: 20, expires_at: '2027-12-31T00:00:00.000Z' };
  const changed = await forgelog.put(`${path}/${amy.id}`, timed, owner);
  expect(changed.body.expires_at).toBe('2027-12-31');
  const cleared = await forgelog.put(`${path}/${amy.id}`, { access_level: 20, expires_at: '' }, owner);
  expect(cleared.body.expires_at).toBeNull();

  expect((await forgelog.delete(`${path}/${amy.id}`, owner)).status).toBe(204);
  expect(await forgelog.get(`${path}/${amy.id}`, owner)).toMatchObject({
    status: 404,
    body: { message: '404 Not found' },
  });
  expect((await forgelog.get(path, amy)).status).toBe(404);
});

test('who is a member already is a conflict', async () => {
  const bob = await make.person('bob');
  await add(bob.id, 30);
  expect(await add(bob.id, 40)).toMatchObject({ status: 409, body: { message: 'Member already exists' } });
  expect(await add(owner.id, 40)).toMatchObject({ status: 409 });
  expect((await forgelog.get(`${path}/${bob.id}`, owner)).body.access_level).toBe(30);
});

test('of many who add the same user at once one succeeds', async () => {
  const rita = await make.person('rita');
  const replies = await Promise.all([10, 20, 30, 40].map((level) => add(rita.id, level)));
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
});

test('a comma-separated list adds each and tells who could not be', async () => {
  const [cid, dora] = [await make.person('cid'), await make.person('dora')] as const;
  const eve = await make.person('eve');
  expect(await add(`${cid.id}, ${dora.id}`, 20)).toMatchObject({ status: 201, body: { status: 'success' } });
  const mixed = await add(`${dora.id},${eve.id},987654`, 30);
  expect(mixed.body).toEqual({
    status: 'error',
    message: { dora: 'Member already exists', 987654: 'User not found' },
  });
  const list = await forgelog.get(`${path}?user_ids[]=${cid.id}&user_ids[]=${dora.id}&user_ids[]=${eve.id}`);
  expect(levels(list.body)).toEqual({ [cid.id]: 20, [dora.id]: 20, [eve.id]: 30 });
});

test('what is wrong is said and changes nothing', async () => {
  const fred = await make.person('fred');
  const head = await forgelog.system.store.head();
  const one = `${path}/${fred.id}`;
  const notIncluded = { message: { access_level: ['is not included in the list'] } };
  const past = { message: { expires_at: ['cannot be a date in the past'] } };
  const cases: [Promise<{ status: number; body: unknown }>, number, object][] = [
    [forgelog.post(path, {}, owner), 400, { error: 'user_id is missing, access_level is missing' }],
    [forgelog.post(path, { user_id: '', access_level: 30 }, owner), 400, { error: 'user_id is empty' }],
    [add('x', 30), 400, { error: 'user_id is invalid' }],
    [add(fred.id, 31), 400, { error: 'access_level does not have a valid value' }],
    [add(fred.id, 50), 400, notIncluded],
    [add(fred.id, 5), 400, notIncluded],
    [add(fred.id, 0), 400, notIncluded],
    [add(fred.id, 30, { expires_at: '31.12.2999' }), 400, { error: 'expires_at is invalid' }],
    [add(fred.id, 30, { expires_at: '2999-02-30' }), 400, { error: 'expires_at is invalid' }],
    [add(fred.id, 30, { expires_at: '2001-01-01' }), 400, past],
    [add(987654, 30), 404, { message: '404 User Not Found' }],
    [forgelog.put(one, { access_level: 30 }, owner), 404, { message: '404 Not found' }],
    [forgelog.put(one, {}, owner), 400, { error: 'access_level is missing' }],
    [forgelog.delete(one, owner), 404, { message: '404 Not found' }],
    [forgelog.get(`${path}/all/${fred.id}`, owner), 404, { message: '404 Not found' }],
    [add(fred.id, 30, {}, outsider), 404, { message: '404 Project Not Found' }],
    [forgelog.get(path, outsider), 404, { message: '404 Project Not Found' }],
    [forgelog.get(path, { token: null }), 401, { message: '401 Unauthorized' }],
  ];
  for (const [reply, status, body] of cases) expect(await reply).toMatchObject({ status, body });
  expect(await forgelog.system.store.head()).toBe(head);
});

test('only maintainers manage members; everybody may leave', async () => {
  const [guest, maintainer] = [await make.person('gus'), await make.person('mia')] as const;
  const candidate = await make.person('kim');
  await add(guest.id, 10);
  await add(maintainer.id, 40);
  for (const reply of [
    await add(candidate.id, 10, {}, guest),
    await forgelog.put(`${path}/${guest.id}`, { access_level: 40 }, guest),
    await forgelog.delete(`${path}/${maintainer.id}`, guest),
  ])
    expect(reply).toMatchObject({ status: 403, body: { message: '403 Forbidden' } });
  expect((await add(candidate.id, 40, {}, maintainer)).status).toBe(201);
  expect((await forgelog.delete(`${path}/${guest.id}`, guest)).status).toBe(204);
  expect((await forgelog.get(path, guest)).status).toBe(404);
});

test('the owner of the personal namespace shows as 40, acts as 50 and stays', async () => {
  const shown = await forgelog.get(`${path}/${owner.id}`, owner);
  expect(shown.body).toMatchObject({ id: owner.id, access_level: 40, expires_at: null });
  expect((await forgelog.get(`${path}/all/${owner.id}`, owner)).body.access_level).toBe(40);
  expect(levels((await forgelog.get(`${path}?per_page=100`, owner)).body)[owner.id]).toBe(40);
  expect((await forgelog.put(`${path}/${owner.id}`, { access_level: 10 }, owner)).status).toBe(403);
  expect((await forgelog.delete(`${path}/${owner.id}`)).status).toBe(403);
  expect((await forgelog.delete(`${path}/${owner.id}`, owner)).status).toBe(403);
});

test('the list is searched by name and username, and paged', async () => {
  const other = await make.project('search', owner);
  const list = `/projects/${other.id}/members`;
  const jane = await make.person('jdoe', { name: 'Jane Straße', publicEmail: true });
  await forgelog.post(list, { user_id: jane.id, access_level: 10 });
  for (const query of ['DOE', 'jane s', 'straße']) {
    const { body } = await forgelog.get(`${list}?query=${encodeURIComponent(query)}`, jane);
    expect(body).toMatchObject([{ id: jane.id, email: 'jdoe@example.org' }]);
  }
  expect((await forgelog.get(`${list}?query=example`, jane)).body).toEqual([]);
  expect((await forgelog.get(`${list}?user_ids=`, jane)).body).toHaveLength(2);
  const second = await forgelog.get(`${list}?per_page=1&page=2`, jane);
  expect(second.body).toMatchObject([{ id: jane.id }]);
  expect(second.headers.get('x-total')).toBe('2');
});

test('a membership ends with its day, by itself', async () => {
  let now = new Date('2030-05-01T12:00:00Z');
  const own = await forgelogForTest({ clock: () => now });
  const fixtures = createFixtures(own);
  const [boss, ann] = [await fixtures.person('boss'), await fixtures.person('ann')] as const;
  const { id } = await fixtures.project('p', boss);
  const list = `/projects/${id}/members`;
  const membership = { user_id: ann.id, access_level: 30, expires_at: '2030-05-03' };
  await own.post(list, membership, boss);
  now = new Date('2030-05-02T23:59:59Z');
  expect((await own.get(`${list}/${ann.id}`, ann)).status).toBe(200);
  now = new Date('2030-05-03T00:00:00Z');
  expect((await own.get(list, ann)).status).toBe(404);
  for (const gone of [`${list}/${ann.id}`, `${list}/all/${ann.id}`])
    expect((await own.get(gone, boss)).status).toBe(404);
  expect((await own.get(list, boss)).body).toHaveLength(1);
  expect((await own.put(`${list}/${ann.id}`, { access_level: 20 }, boss)).status).toBe(404);
  expect((await own.post(list, { ...membership, expires_at: '2030-05-09' }, boss)).status).toBe(201);
  expect((await own.get(list, ann)).status).toBe(200);
});
