import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFixtures, type Fixtures, type Person, type Placed } from '../support/fixtures.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';

let forgelog: Forgelog;
let make: Fixtures;
let owner: Person;
let count = 0;
beforeAll(async () => {
  forgelog = await startForgelog();
  make = createFixtures(forgelog);
  owner = await make.person('olga');
});
afterAll(() => forgelog.stop());

/** A group with a subgroup and a project in it. */
async function tree(): Promise<{ top: Placed; sub: Placed; project: Placed }> {
  const top = await make.group(`top${++count}`, owner);
  const sub = await make.group('sub', null, { parent: top });
  return { top, sub, project: await make.project('app', sub) };
}
const person = () => make.person(`user${++count}`);
const add = (place: string, userId: number, access_level: number, as: Person = owner) =>
  forgelog.post(`${place}/members`, { user_id: userId, access_level }, as);
const levels = (body: { id: number; access_level: number }[]) =>
  Object.fromEntries(body.map(({ id, access_level }) => [id, access_level]));

test('members are inherited by what lies below; the highest level counts, once for each user', async () => {
  const { top, sub, project } = await tree();
  const [amy, bob, cid] = [await person(), await person(), await person()] as const;
  await add(`/groups/${top.id}`, amy.id, 20);
  await add(`/groups/${top.id}`, bob.id, 40);
  await add(`/groups/${sub.id}`, amy.id, 30);
  await add(`/projects/${project.id}`, bob.id, 10);
  await add(`/projects/${project.id}`, cid.id, 10);
  const list = async (path: string) => levels((await forgelog.get(path, amy)).body);

  expect(await list(`/groups/${top.id}/members`)).toEqual({ [owner.id]: 50, [amy.id]: 20, [bob.id]: 40 });
  expect(await list(`/groups/${sub.id}/members`)).toEqual({ [amy.id]: 30 });
  const inSub = { [owner.id]: 50, [amy.id]: 30, [bob.id]: 40 };
  expect(await list(`/groups/${sub.id}/members/all`)).toEqual(inSub);
  expect(await list(`/projects/${project.id}/members`)).toEqual({ [bob.id]: 10, [cid.id]: 10 });
  const all = await forgelog.get(`/projects/${project.id}/members/all`, amy);
  expect(levels(all.body)).toEqual({ ...inSub, [cid.id]: 10 });
  expect(all.headers.get('x-total')).toBe('4');
  expect(all.body.map(({ id }: { id: number }) => id)).toEqual([owner.id, amy.id, bob.id, cid.id]);
  const paged = await forgelog.get(`/projects/${project.id}/members/all?per_page=3&page=2`, amy);
  expect(paged.body).toMatchObject([{ id: cid.id }]);
  const some = await list(`/projects/${project.id}/members/all?user_ids[]=${bob.id}&query=${bob.username}`);
  expect(some).toEqual({ [bob.id]: 40 });

  const one = (user: Person, kind: string) =>
    forgelog.get(`/groups/${sub.fullPath.replace('/', '%2F')}/members${kind}/${user.id}`, amy);
  expect((await one(bob, '')).status).toBe(404);
  expect((await one(bob, '/all')).body).toMatchObject({ id: bob.id, access_level: 40 });
  expect((await one(amy, '/all')).body).toMatchObject({ access_level: 30 });
});

test('owners manage members; the others do not', async () => {
  const { top } = await tree();
  const path = `/groups/${top.id}`;
  const [maintainer, minimal, candidate] = [await person(), await person(), await person()] as const;
  expect((await add(path, maintainer.id, 40)).status).toBe(201);
  expect((await add(path, minimal.id, 5)).body.access_level).toBe(5);
  for (const reply of [
    await add(path, candidate.id, 10, maintainer),
    await forgelog.put(`${path}/members/${maintainer.id}`, { access_level: 50 }, maintainer),
    await forgelog.delete(`${path}/members/${owner.id}`, maintainer),
  ])
    expect(reply.status).toBe(403);
  expect((await add(path, candidate.id, 10, candidate)).status).toBe(404);
  expect((await add(path, candidate.id, 0)).status).toBe(400);
  const raised = await forgelog.put(`${path}/members/${maintainer.id}`, { access_level: 50 }, owner);
  expect(raised.body.access_level).toBe(50);
  expect(await add(path, maintainer.id, 10)).toMatchObject({ status: 409 });
  expect((await add(`/groups/${owner.username}`, candidate.id, 10)).status).toBe(404);
});

test('the last owner can neither be removed, nor lowered, nor leave', async () => {
  const { top, sub } = await tree();
  const one = `/groups/${top.id}/members/${owner.id}`;
  const ending = { access_level: 50, expires_at: new Date().toISOString().slice(0, 10) };
  for (const reply of [
    await forgelog.delete(one),
    await forgelog.delete(one, owner),
    await forgelog.put(one, { access_level: 40 }, owner),
    await forgelog.put(one, ending, owner),
  ])
    expect(reply).toMatchObject({ status: 403, body: { message: '403 Forbidden' } });

  // A subgroup may lose its own owner: the one above owns it too.
  const second = await person();
  await add(`/groups/${sub.id}`, second.id, 50);
  expect((await forgelog.delete(`/groups/${sub.id}/members/${second.id}`, second)).status).toBe(204);

  await add(`/groups/${top.id}`, second.id, 50);
  expect((await forgelog.delete(one, owner)).status).toBe(204);
  expect((await forgelog.get(`/groups/${top.id}/members`, owner)).status).toBe(404);
});

test('of two owners who leave at once one stays', async () => {
  const { top } = await tree();
  const second = await person();
  await add(`/groups/${top.id}`, second.id, 50);
  const replies = await Promise.all(
    [owner, second].map((who) => forgelog.delete(`/groups/${top.id}/members/${who.id}`, who)),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([204, 403]);
});

test('removing reaches what lies below unless told otherwise', async () => {
  const { top, sub, project } = await tree();
  const [amy, bob] = [await person(), await person()] as const;
  const elsewhere = await make.group(`other${++count}`, owner);
  for (const user of [amy, bob]) {
    for (const place of [`/groups/${top.id}`, `/groups/${sub.id}`, `/projects/${project.id}`])
      await add(place, user.id, 30);
  }
  await add(`/groups/${elsewhere.id}`, amy.id, 30);
  expect((await forgelog.delete(`/groups/${top.id}/members/${amy.id}`, owner)).status).toBe(204);
  expect((await forgelog.get(`/projects/${project.id}/members`, amy)).status).toBe(404);
  expect((await forgelog.get(`/groups/${elsewhere.id}/members/${amy.id}`, amy)).status).toBe(200);
  await forgelog.delete(`/groups/${top.id}/members/${bob.id}?skip_subresources=true`, owner);
  expect((await forgelog.get(`/groups/${top.id}/members/${bob.id}`, owner)).status).toBe(404);
  expect((await forgelog.get(`/projects/${project.id}/members/${bob.id}`, bob)).status).toBe(200);
});

test('whose access is minimal does not reach what lies below', async () => {
  const { top, sub, project } = await tree();
  const minimal = await person();
  await add(`/groups/${top.id}`, minimal.id, 5);
  expect((await forgelog.get(`/groups/${top.id}/members`, minimal)).status).toBe(200);
  expect((await forgelog.get(`/groups/${sub.id}/members`, minimal)).status).toBe(404);
  expect((await forgelog.get(`/projects/${project.id}/members`, minimal)).status).toBe(404);
  const below = await forgelog.get(`/projects/${project.id}/members/all`, owner);
  expect(levels(below.body)).toEqual({ [owner.id]: 50 });
});
