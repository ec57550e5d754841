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

test('a label is renamed, deleted and found wherever it is given, and what lists say follows', async () => {
  const project = `/projects/${personal}`;
  const open = (title: string, labels: string) => must(forgelog.post(`${project}/issues`, { title, labels }));
  const first = await open('First', 'alpha,beta');
  await open('Second', 'alpha');
  const third = await open('Third', '');
  const titles = async (query: string, at = `${project}/issues`) =>
    (await must(forgelog.get(`${at}?scope=all&sort=asc&${query}`))).map(
      ({ title }: { title: string }) => title,
    );
  const labelsOf = async (iid: number) => (await must(forgelog.get(`${project}/issues/${iid}`))).labels;
  expect(await names(`${project}/labels?search=a`)).toEqual(['alpha', 'beta', 'raced', 'same']);

  await must(forgelog.put(`${project}/labels/alpha`, { new_name: 'omega', color: '#000' }));
  expect(await labelsOf(first.iid)).toEqual(['omega', 'beta']);
  expect(await titles('labels=alpha')).toEqual([]);
  for (const at of [`${project}/issues`, '/issues'])
    expect(await titles('labels=omega', at)).toEqual(['First', 'Second']);
  const [detailed] = await must(forgelog.get(`${project}/issues?labels=beta&with_labels_details=true`));
  expect(detailed.labels[0]).toMatchObject({ name: 'omega', color: '#000000', text_color: '#FFFFFF' });
  const unchanged = await must(forgelog.put(`${project}/issues/${first.iid}`, { add_labels: 'omega' }));
  expect(unchanged.updated_at).toBe(first.updated_at);

  await must(forgelog.delete(`${project}/labels/omega`));
  expect(await labelsOf(first.iid)).toEqual(['beta']);
  expect(await titles('labels=None')).toEqual(['Second', 'Third']);
  expect(await titles('labels=Any')).toEqual(['First']);
  expect(await titles('not[labels]=omega')).toEqual(['First', 'Second', 'Third']);
  await must(forgelog.put(`${project}/issues/${third.iid}`, { add_labels: 'omega' }));
  expect(await titles('labels=omega')).toEqual(['Third']);
});

test('a label of confidential issues alone is told to reporters, until something open gets it', async () => {
  const project = `/projects/${personal}`;
  await must(forgelog.post(`${project}/issues`, { title: 'Between us', labels: 'hush', confidential: true }));
  const seen = async () => [
    await names(`${project}/labels?search=hush`),
    (await must(forgelog.get(`${project}/labels?search=hush`, { token: reporter.token }))).length,
    (await forgelog.get(`${project}/labels/hush`, { token: null })).status,
  ];
  expect(await seen()).toEqual([['hush'], 0, 404]);
  await must(forgelog.post(`${project}/issues`, { title: 'Open', labels: 'hush' }));
  expect(await seen()).toEqual([['hush'], 1, 200]);
});

test('what is refused creates no labels', async () => {
  const project = `/projects/${personal}`;
  expect((await forgelog.post(`${project}/issues`, { title: ' ', labels: 'unwanted' })).status).toBe(400);
  const issue = await must(forgelog.post(`${project}/issues`, { title: 'Wanted' }));
  const put = await forgelog.put(`${project}/issues/${issue.iid}`, { title: ' ', add_labels: 'unwanted' });
  expect(put.status).toBe(400);
  expect(await names(`${project}/labels?search=unwanted`)).toEqual([]);
});

test('issues keep a label that is promoted, and are found by it in the group', async () => {
  const [one, two] = projects;
  const open = (id: number | undefined, title: string) =>
    must(forgelog.post(`/projects/${id}/issues`, { title, labels: 'moved,kind::a' }));
  const issue = await open(one, 'Of one');
  await open(two, 'Of two');
  await must(forgelog.put(`/projects/${one}/labels/moved/promote`));
  const found = await must(forgelog.get(`/groups/${top}/issues?labels=moved&scope=all&sort=asc`));
  expect(found.map(({ title }: { title: string }) => title)).toEqual(['Of one', 'Of two']);
  expect(found[0].labels).toEqual(['moved', 'kind::a']);
  const at = `/projects/${one}/issues/${issue.iid}`;
  const scoped = await must(forgelog.put(at, { add_labels: 'kind::b' }));
  expect(scoped.labels).toEqual(['moved', 'kind::b']);
  expect((await must(forgelog.put(at, { remove_labels: 'moved' }))).labels).toEqual(['kind::b']);
});

test('so many labels that nobody means them are refused', async () => {
  const labels = Array.from({ length: 1000 }, (_, at) => `l${at}`).join();
  const issue = await must(forgelog.post(`/projects/${personal}/issues`, { title: 'Many', labels }));
  expect(issue.labels).toHaveLength(1000);
  const put = await forgelog.put(`/projects/${personal}/issues/${issue.iid}`, { labels, add_labels: 'more' });
  expect(put.body).toEqual({ message: { labels: ['are too many (maximum is 1000)'] } });
});

test('all who give one new label at once give the same', async () => {
  const project = `/projects/${personal}`;
  const open = (title: string) => forgelog.post(`${project}/issues`, { title, labels: 'at once' });
  const answers = await Promise.all(['a', 'b', 'c', 'd'].map(open));
  expect(answers.map(({ status, body }) => [status, body.labels])).toEqual(
    answers.map(() => [201, ['at once']]),
  );
  expect(await names(`${project}/labels?search=at%20once`)).toEqual(['at once']);
});
