import { afterAll, beforeAll, expect, test } from 'vitest';
import { createUser, type TestUser } from '../support/accounts.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { must } from '../support/must.ts';

let forgelog: Forgelog;
let reporter: TestUser;
let top: number;
let sub: number;
let projects: number[];
let personal: number;
const color = '#d9534f';

beforeAll(async () => {
  forgelog = await startForgelog();
  reporter = await createUser(forgelog, { username: 'label-reporter' });
  const group = (path: string, parent_id?: number) =>
    must(forgelog.post('/groups', { name: path, path, parent_id, visibility: 'public' }));
  top = (await group('label-top')).id;
  sub = (await group('label-sub', top)).id;
  const project = async (path: string, namespace_id?: number) =>
    (await must(forgelog.post('/projects', { path, namespace_id, visibility: 'public' }))).id as number;
  projects = [await project('one', sub), await project('two', sub), await project('aside', top)];
  personal = await project('personal');
});
afterAll(() => forgelog.stop());

const names = async (path: string) =>
  (await must(forgelog.get(path))).map(({ name }: { name: string }) => name);

test('a project and a group have the labels of the groups above, and change only their own', async () => {
  const [one] = projects;
  await must(forgelog.post(`/groups/${top}/labels`, { name: 'from top', color }));
  await must(forgelog.post(`/groups/${sub}/labels`, { name: 'from sub', color, description: 'Findable' }));
  await must(forgelog.post(`/projects/${one}/labels`, { name: 'own/label.x', color }));
  expect(await names(`/projects/${one}/labels`)).toEqual(['from sub', 'from top', 'own/label.x']);
  expect(await names(`/projects/${one}/labels?include_ancestor_groups=false`)).toEqual(['own/label.x']);
  expect(await names(`/projects/${one}/labels?search=FINDABLE`)).toEqual(['from sub']);
  expect(await names(`/groups/${sub}/labels`)).toEqual(['from sub', 'from top']);
  expect(await names(`/groups/${top}/labels`)).toEqual(['from top']);
  const inherited = await must(forgelog.get(`/projects/${one}/labels/from%20top`));
  expect(inherited).toMatchObject({ name: 'from top', is_project_label: false });
  expect((await forgelog.get(`/projects/${one}/labels/own%2Flabel%2Ex`)).status).toBe(200);
  const taken = await forgelog.post(`/projects/${one}/labels`, { name: 'from top', color });
  expect(taken).toMatchObject({ status: 409, body: { message: 'Label already exists' } });
  const put = await forgelog.put(`/projects/${one}/labels/${inherited.id}`, { color: 'blue' });
  expect(put).toMatchObject({ status: 404, body: { message: '404 Label Not Found' } });
  const inGroup = await must(forgelog.get(`/groups/${sub}/labels/from%20top`));
  expect(Object.keys(inGroup)).not.toContain('priority');
});

test('a promoted label takes the place of its namesakes in all projects below the group, and of no other', async () => {
  const [one, two, aside] = projects;
  for (const id of projects) await must(forgelog.post(`/projects/${id}/labels`, { name: 'same', color }));
  await must(forgelog.post(`/projects/${personal}/labels`, { name: 'same', color }));
  const promoted = await forgelog.put(`/projects/${one}/labels/same/promote`);
  expect(promoted).toMatchObject({ status: 200, body: { name: 'same', color } });
  for (const id of [one, two]) {
    expect(await must(forgelog.get(`/projects/${id}/labels/same`))).toMatchObject({
      ...{ id: promoted.body.id, is_project_label: false },
    });
    expect(await names(`/projects/${id}/labels?include_ancestor_groups=false&search=same`)).toEqual([]);
  }
  const other = await must(forgelog.get(`/projects/${aside}/labels/same`));
  expect(other).toMatchObject({ is_project_label: true });
  expect((await forgelog.put(`/projects/${personal}/labels/same/promote`)).status).toBe(400);
  await must(forgelog.post(`/projects/${aside}/members`, { user_id: reporter.id, access_level: 20 }));
  expect(
    (await forgelog.put(`/projects/${aside}/labels/same/promote`, {}, { token: reporter.token })).status,
  ).toBe(403);
});

test('of two who create a label at once, one does', async () => {
  const make = () => forgelog.post(`/projects/${personal}/labels`, { name: 'raced', color });
  const answers = await Promise.all([make(), make(), make()]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
});
