import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import {
  type Inhabitant,
  record,
  settleIssue,
  settleMember,
  settleProject,
  settleUser,
} from '../support/inhabitants.ts';
import { settleGroup, settleGroupProject } from './places.ts';

let forgelog: Forgelog;
let projectId: number;

beforeAll(async () => {
  forgelog = await startForgelog();
  projectId = await settleProject(forgelog, 'listed', { visibility: 'public' });
  for (const iid of [1, 2, 3]) await settleIssue(forgelog, projectId, iid);
});
afterAll(() => forgelog.stop());

let users = 0;
const newcomer = () => settleUser(forgelog, `user${++users}`);
const mark = (iid: number, user: Inhabitant, project = projectId) =>
  forgelog.post(`/projects/${project}/issues/${iid}/todo`, undefined, user.as);
const pending = async (user: Inhabitant, query = '') =>
  (await forgelog.get(`/todos${query}`, user.as)).body.map(({ id }: { id: number }) => id);

test('an issue is put on the list once, and ticked off', async () => {
  const user = await newcomer();
  const created = await mark(1, user);
  expect(created.status).toBe(201);
  expect(created.body).toMatchObject({
    project: {
      id: projectId,
      name: 'listed',
      name_with_namespace: 'Administrator / listed',
      path: 'listed',
      path_with_namespace: 'root/listed',
    },
    author: { id: user.id },
    action_name: 'marked',
    target_type: 'Issue',
    target: { iid: 1, project_id: projectId, references: { relative: 'root/listed#1' } },
    target_url: `${forgelog.url}/root/listed/-/issues/1`,
    body: 'Issue 1',
    state: 'pending',
  });
  expect(await mark(1, user)).toMatchObject({ status: 304, text: '' });
  expect((await forgelog.get('/todos', user.as)).body).toEqual([created.body]);

  const done = await forgelog.post(`/todos/${created.body.id}/mark_as_done`, undefined, user.as);
  expect(done).toMatchObject({ status: 201, body: { ...created.body, state: 'done' } });
  expect((await forgelog.post(`/todos/${created.body.id}/mark_as_done`, undefined, user.as)).status).toBe(
    201,
  );
  expect(await pending(user)).toEqual([]);
  expect(await pending(user, '?state=done')).toEqual([created.body.id]);
  const again = await mark(1, user);
  expect(again.status).toBe(201);
  expect(again.body.id).not.toBe(created.body.id);
});

test('of many marks at once one counts', async () => {
  const user = await newcomer();
  const replies = await Promise.all(Array.from({ length: 10 }, () => mark(2, user)));
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(replies.filter(({ status }) => status === 304)).toHaveLength(9);
  expect(await pending(user)).toHaveLength(1);
});

test('everything is ticked off at once, and only the own', async () => {
  const [user, other] = [await newcomer(), await newcomer()];
  const many = await settleProject(forgelog, `many${user.id}`, { visibility: 'public' });
  await Promise.all(Array.from({ length: 130 }, (_, at) => settleIssue(forgelog, many, at + 1)));
  await Promise.all(Array.from({ length: 130 }, (_, at) => mark(at + 1, user, many)));
  await mark(1, other, many);
  const list = await forgelog.get('/todos?per_page=3', user.as);
  expect(list.headers.get('x-total')).toBe('130');
  const ids = list.body.map(({ id }: { id: number }) => id);
  expect(ids).toEqual([...ids].sort((a: number, b: number) => b - a));
  expect(await forgelog.post('/todos/mark_as_done', undefined, user.as)).toMatchObject({
    status: 204,
    text: '',
  });
  expect(await pending(user)).toEqual([]);
  expect(await pending(other)).toHaveLength(1);
});

test("nobody sees or ticks off another's", async () => {
  const [user, other] = [await newcomer(), await newcomer()];
  const { id } = (await mark(3, user)).body;
  for (const path of [`/todos/${id}/mark_as_done`, '/todos/999999/mark_as_done'])
    expect(await forgelog.post(path, undefined, other.as)).toMatchObject({
      status: 404,
      body: { message: '404 Not found' },
    });
  expect(await pending(other)).toEqual([]);
  expect((await forgelog.get('/todos', { token: null })).status).toBe(401);
  expect((await forgelog.post('/todos/mark_as_done', {}, { token: null })).status).toBe(401);
  expect((await forgelog.post(`/projects/${projectId}/issues/1/todo`, {}, { token: null })).status).toBe(401);
});

test('the list is filtered', async () => {
  const user = await newcomer();
  const group = await settleGroup(forgelog, `squad${user.id}`, { visibility: 'public' });
  const below = await settleGroup(forgelog, 'below', { parent: group, visibility: 'public' });
  const inGroup = await settleGroupProject(forgelog, below, 'p', { visibility: 'public' });
  await settleIssue(forgelog, inGroup.id, 1);
  const here = (await mark(1, user)).body.id;
  const there = (await mark(1, user, inGroup.id)).body.id;
  expect(await pending(user, `?project_id=${projectId}`)).toEqual([here]);
  expect(await pending(user, `?group_id=${group.id}`)).toEqual([there]);
  expect(await pending(user, `?author_id=${user.id}`)).toEqual([there, here]);
  expect(await pending(user, '?author_id=1')).toEqual([]);
  expect(await pending(user, '?action=marked&type=Issue')).toEqual([there, here]);
  expect(await pending(user, '?action=assigned')).toEqual([]);
  expect(await pending(user, '?type=MergeRequest')).toEqual([]);
  expect((await forgelog.get('/todos?state=open', user.as)).body).toEqual({
    error: 'state does not have a valid value',
  });
});

test('a target that may no longer be read, or is gone, is on no list', async () => {
  const user = await newcomer();
  await settleIssue(forgelog, projectId, 50);
  const path = `/projects/${projectId}/issues/50`;
  const { id } = (await mark(50, user)).body;
  await forgelog.put(path, { confidential: true });
  expect(await pending(user)).toEqual([]);
  expect((await forgelog.get('/todos', user.as)).headers.get('x-total')).toBe('0');
  expect((await forgelog.post(`/todos/${id}/mark_as_done`, undefined, user.as)).status).toBe(404);
  await forgelog.put(path, { assignee_ids: [user.id] });
  expect(await pending(user)).toEqual([id]);
  await forgelog.put(path, { assignee_ids: [] });
  await settleMember(forgelog, projectId, user, 20);
  expect(await pending(user)).toEqual([id]);
  await record(forgelog, `project-${projectId}`, 1, {
    type: 'ProjectUpdated',
    data: { projectId, changes: { settings: { issues_access_level: 'disabled' } }, previous: null },
  });
  expect(await pending(user)).toEqual([]);
  await record(forgelog, `project-${projectId}`, 1, {
    type: 'ProjectUpdated',
    data: { projectId, changes: { settings: { issues_access_level: 'enabled' } }, previous: null },
  });
  expect(await pending(user)).toEqual([id]);
  await forgelog.delete(path);
  expect(await pending(user)).toEqual([]);
});

test('the target is shown as it is now', async () => {
  const user = await newcomer();
  await settleIssue(forgelog, projectId, 60);
  await mark(60, user);
  await forgelog.put(`/projects/${projectId}/issues/60`, { title: 'Renamed' });
  const [todo] = (await forgelog.get('/todos', user.as)).body;
  expect(todo).toMatchObject({ body: 'Issue 60', target: { title: 'Renamed' } });
});
