import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import {
  type Inhabitant,
  record,
  settleIssue,
  settleMember,
  settleProject,
  settleToken,
  settleUser,
} from '../support/inhabitants.ts';
import { archive } from './places.ts';

/** Everybody who may come, by what he is to the project. */
const CALLERS = [
  'anonymous',
  'outsider',
  'external',
  'author',
  'assignee',
  'guest',
  'reporter',
  'developer',
  'maintainer',
  'owner',
  'admin',
] as const;
type Caller = (typeof CALLERS)[number];

let forgelog: Forgelog;
const people = {} as Record<Caller, Inhabitant>;
const as = (caller: Caller) => ({ token: caller === 'anonymous' ? null : people[caller].token });
const projects = {} as Record<'private' | 'internal' | 'public', number>;

beforeAll(async () => {
  forgelog = await startForgelog();
  for (const name of CALLERS.slice(1))
    people[name] = await settleUser(forgelog, `the-${name}`, {
      admin: name === 'admin',
      external: name === 'external',
    });
  for (const visibility of ['private', 'internal', 'public'] as const) {
    const id = await settleProject(forgelog, visibility, { visibility, owner: people.owner });
    projects[visibility] = id;
    await settleMember(forgelog, id, people.guest, 10);
    await settleMember(forgelog, id, people.reporter, 20);
    await settleMember(forgelog, id, people.developer, 30);
    await settleMember(forgelog, id, people.maintainer, 40);
    const roles = { author: people.author, assigneeIds: [people.assignee.id] };
    await settleIssue(forgelog, id, 1, { ...roles, title: 'open secretless' });
    await settleIssue(forgelog, id, 2, { ...roles, title: 'hidden secret', confidential: true });
  }
  // Author and assignee of the private project's issues are members of it, as guests.
  await settleMember(forgelog, projects.private, people.author, 10);
  await settleMember(forgelog, projects.private, people.assignee, 10);
});
afterAll(() => forgelog.stop());

const REPORTERS: Caller[] = ['reporter', 'developer', 'maintainer', 'owner', 'admin'];
const MEMBERS: Caller[] = ['author', 'assignee', 'guest', ...REPORTERS];
const SEES = {
  private: MEMBERS,
  internal: [...MEMBERS, 'outsider'] as Caller[],
  public: [...CALLERS],
};
const INVOLVED: Caller[] = ['author', 'assignee', ...REPORTERS];

describe.each(['private', 'internal', 'public'] as const)('in a %s project', (visibility) => {
  test.each(CALLERS)('%s reads what he may', async (caller) => {
    const path = `/projects/${projects[visibility]}/issues`;
    const sees = SEES[visibility].includes(caller);
    const involved = sees && INVOLVED.includes(caller);
    const get = async (rest: string) => forgelog.get(`${path}${rest}`, as(caller));
    if (!sees) {
      for (const rest of ['', '/1', '/2', '/1/time_stats', '/1/related_merge_requests'])
        expect(await get(rest)).toMatchObject({ status: 404, body: { message: '404 Project Not Found' } });
    } else {
      expect((await get('/1')).status).toBe(200);
      const absent = await get('/77');
      for (const rest of ['', '/time_stats', '/related_merge_requests']) {
        const secret = await get(`/2${rest}`);
        expect(secret.status).toBe(involved ? 200 : 404);
        if (!involved) expect(secret.text).toBe(absent.text);
      }
      const listed = await get('');
      expect(listed.body.map(({ iid }: { iid: number }) => iid)).toEqual(involved ? [2, 1] : [1]);
      expect(listed.headers.get('x-total')).toBe(involved ? '2' : '1');
      for (const filter of ['confidential=true', 'search=hidden', 'iids[]=2'])
        expect((await get(`?${filter}`)).body).toHaveLength(involved ? 1 : 0);
    }
    const everywhere = await forgelog.get('/issues?scope=all&per_page=100', as(caller));
    const seen = everywhere.body
      .filter(({ project_id }: { project_id: number }) => project_id === projects[visibility])
      .map(({ iid }: { iid: number }) => iid);
    expect(seen).toEqual(involved ? [2, 1] : sees ? [1] : []);
  });
});

test.each(CALLERS)('%s opens an issue where he may', async (caller) => {
  for (const visibility of ['private', 'internal', 'public'] as const) {
    const reply = await forgelog.post(`/projects/${projects[visibility]}/issues`, { title: 'x' }, as(caller));
    expect(reply.status).toBe(caller === 'anonymous' ? 401 : SEES[visibility].includes(caller) ? 201 : 404);
  }
});

test.each(CALLERS)('%s changes, books on and deletes an issue where he may', async (caller) => {
  const id = projects.public;
  const roles = { author: people.author, assigneeIds: [people.assignee.id] };
  const iid = 100 + CALLERS.indexOf(caller);
  await settleIssue(forgelog, id, iid, roles);
  const path = `/projects/${id}/issues/${iid}`;
  const anonymous = caller === 'anonymous';
  const put = await forgelog.put(path, { title: 'new', labels: 'x', confidential: true }, as(caller));
  expect(put.status).toBe(anonymous ? 401 : INVOLVED.includes(caller) ? 200 : 403);
  const { body } = await forgelog.get(path);
  expect(body.title).toBe(INVOLVED.includes(caller) ? 'new' : `Issue ${iid}`);
  expect(body.labels).toEqual(REPORTERS.includes(caller) ? ['x'] : []);
  expect(body.confidential).toBe(REPORTERS.includes(caller));
  const closed = await forgelog.put(path, { state_event: 'close' }, as(caller));
  expect(closed.status).toBe(anonymous ? 401 : INVOLVED.includes(caller) ? 200 : 403);
  for (const booking of ['time_estimate', 'add_spent_time', 'reset_time_estimate', 'reset_spent_time']) {
    const reply = await forgelog.post(`${path}/${booking}`, { duration: '1h' }, as(caller));
    const good = booking === 'add_spent_time' ? 201 : 200;
    expect(reply.status).toBe(anonymous ? 401 : REPORTERS.includes(caller) ? good : 403);
  }
  const deleted = await forgelog.delete(path, as(caller));
  const owns = caller === 'owner' || caller === 'admin';
  expect(deleted.status).toBe(anonymous ? 401 : owns ? 204 : 403);
  expect((await forgelog.get(path)).status).toBe(owns ? 404 : 200);
});

test('a confidential issue is absent for writers who may not read it', async () => {
  const path = `/projects/${projects.public}/issues`;
  for (const caller of ['outsider', 'guest'] as const) {
    for (const iid of [2, 77]) {
      expect(await forgelog.put(`${path}/${iid}`, { title: 'x' }, as(caller))).toMatchObject({
        status: 404,
        body: { message: '404 Not found' },
      });
      expect(await forgelog.delete(`${path}/${iid}`, as(caller))).toMatchObject({
        status: 404,
        body: { message: '404 Issue Not Found' },
      });
      expect(await forgelog.post(`${path}/${iid}/todo`, {}, as(caller))).toMatchObject({
        status: 404,
        body: { message: '404 Not found' },
      });
    }
  }
});

test('rights follow the issue as it is now', async () => {
  const id = projects.public;
  await settleIssue(forgelog, id, 300, { author: people.author, confidential: true });
  const path = `/projects/${id}/issues/300`;
  expect((await forgelog.get(path, as('assignee'))).status).toBe(404);
  await forgelog.put(path, { assignee_ids: [people.assignee.id] }, as('reporter'));
  expect((await forgelog.get(path, as('assignee'))).status).toBe(200);
  await forgelog.put(path, { assignee_ids: [] }, as('reporter'));
  expect((await forgelog.get(path, as('assignee'))).status).toBe(404);
  await forgelog.put(path, { confidential: false }, as('reporter'));
  expect((await forgelog.get(path, as('anonymous'))).status).toBe(200);
});

test('issues that are switched off, or kept to members, are in no list either', async () => {
  const { owner } = people;
  const off = await settleProject(forgelog, 'off', { visibility: 'public', owner });
  const kept = await settleProject(forgelog, 'kept', { visibility: 'public', owner });
  await settleMember(forgelog, kept, people.guest, 10);
  for (const id of [off, kept]) await settleIssue(forgelog, id, 1, { title: 'withdrawn' });
  const seen = async (caller: Caller) =>
    (await forgelog.get('/issues?scope=all&search=withdrawn', as(caller))).body.length;
  const set = (id: number, level: string) =>
    record(forgelog, `project-${id}`, owner.id, {
      type: 'ProjectUpdated',
      data: { projectId: id, changes: { settings: { issues_access_level: level } }, previous: null },
    });
  expect(await seen('anonymous')).toBe(2);
  await set(off, 'disabled');
  await set(kept, 'private');
  for (const [caller, count] of [
    ['anonymous', 0],
    ['outsider', 0],
    ['guest', 1],
    ['owner', 1],
    ['admin', 1],
  ] as const) {
    expect(await seen(caller)).toBe(count);
    const read = await forgelog.get(`/projects/${kept}/issues`, as(caller));
    expect(read.status).toBe(count === 1 ? 200 : 403);
    expect((await forgelog.get(`/projects/${off}/issues/1`, as(caller))).status).toBe(403);
  }
  await set(off, 'enabled');
  expect(await seen('anonymous')).toBe(1);
});

test('issues of an archived project are read, not written, and listed where they are asked for', async () => {
  const { owner } = people;
  const id = await settleProject(forgelog, 'old', { visibility: 'public', owner });
  await settleIssue(forgelog, id, 1, { title: 'mothballed' });
  const search = '/issues?scope=all&search=mothballed';
  expect((await forgelog.get(search, as('outsider'))).body).toHaveLength(1);
  await archive(forgelog, id);
  expect((await forgelog.get(search, as('outsider'))).body).toEqual([]);
  expect((await forgelog.get(`${search}&non_archived=false`, as('outsider'))).body).toHaveLength(1);
  expect((await forgelog.get(`/projects/${id}/issues`, as('outsider'))).body).toHaveLength(1);
  for (const caller of ['owner', 'admin'] as const) {
    const reply = await forgelog.put(`/projects/${id}/issues/1`, { title: 'x' }, as(caller));
    expect(reply).toMatchObject({
      status: 403,
      body: { message: '403 Forbidden - The project is archived' },
    });
  }
});

test('reading takes a scope that reads the API, writing one that writes', async () => {
  const token = await settleToken(forgelog, people.reporter.id, ['read_api']);
  const list = `/projects/${projects.private}/issues`;
  expect((await forgelog.get(`${list}/1`, { token })).status).toBe(200);
  expect(await forgelog.post(list, { title: 'x' }, { token })).toMatchObject({
    status: 403,
    body: { error: 'insufficient_scope' },
  });
  const narrow = await settleToken(forgelog, people.reporter.id, ['read_user']);
  expect((await forgelog.get('/issues', { token: narrow })).status).toBe(403);
});
