import type { DomainEvent } from '@forgelog/contracts/event.ts';
import { ISSUE_CLOSED, ISSUE_REOPENED } from '@forgelog/contracts/tracker/issues/issue.events.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
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

let now = new Date('2026-03-10T12:00:00.000Z');
let forgelog: Forgelog;
let outsider: Inhabitant;
const anonymous = { token: null };

beforeAll(async () => {
  forgelog = await startForgelog({ clock: () => now });
  outsider = await settleUser(forgelog, 'outsider');
});
afterAll(() => forgelog.stop());

let counter = 0;
/** A project with a developer in it who is a member of nothing else. */
async function scene(options: Parameters<typeof settleProject>[2] = {}) {
  counter += 1;
  const developer = await settleUser(forgelog, `developer-${counter}`);
  const projectId = await settleProject(forgelog, `p-${counter}`, options);
  await settleMember(forgelog, projectId, developer, 30);
  return { developer, projectId, events: `/projects/${projectId}/events` };
}

const told = async (path: string, as: object = {}) =>
  (await forgelog.get(path, as)).body.map((event: { action_name: string }) => event.action_name);

const NONE = '0'.repeat(40);
const A = 'a'.repeat(40);
const B = 'b'.repeat(40);
const moved = (projectId: number, ref: string, oldOid: string, newOid: string): DomainEvent => ({
  type: 'RefUpdated',
  data: {
    ...{ projectId, ref, oldOid, newOid, via: 'push', commitCount: 2, commitTitle: 'Fix it' },
    ...{ commitCountIsLowerBound: false, forced: false, pushId: null, merge: null, suggestionIds: null },
  },
});
const push = (projectId: number, by: Inhabitant, ...events: DomainEvent[]) =>
  record(forgelog, `repository-${projectId}`, by.id, ...events);

test('what happens in a project is told, the newest first', async () => {
  const { developer, projectId, events } = await scene({ visibility: 'public' });
  const issue = await settleIssue(forgelog, projectId, 1, { author: developer, title: 'Broken' });
  const path = `/projects/${projectId}/issues/1`;
  const { body: note } = await forgelog.post(`${path}/notes`, { body: 'Indeed' }, outsider.as);
  await record(forgelog, issue.stream, developer.id, {
    type: 'IssueClosed',
    data: { ...issue.ids, closedById: developer.id, ...ISSUE_CLOSED },
  });
  await record(forgelog, issue.stream, developer.id, {
    type: 'IssueReopened',
    data: { ...issue.ids, ...ISSUE_REOPENED },
  });
  await push(
    projectId,
    developer,
    moved(projectId, 'refs/heads/main', NONE, A),
    moved(projectId, 'refs/heads/main', A, B),
    moved(projectId, 'refs/tags/v1', B, NONE),
    moved(projectId, 'refs/keep-around/x', NONE, A),
  );
  const { body, headers } = await forgelog.get(events, anonymous);
  expect(headers.get('x-total')).toBe('9');
  expect(body.map((event: { action_name: string }) => event.action_name)).toEqual([
    'deleted',
    'pushed to',
    'pushed new',
    'reopened',
    'closed',
    'commented on',
    'opened',
    'joined',
    'created',
  ]);
  const author = {
    author_id: developer.id,
    author_username: developer.username,
    author: expect.objectContaining({ id: developer.id, username: developer.username }),
  };
  expect(body[1]).toEqual({
    id: expect.any(Number),
    title: null,
    project_id: projectId,
    action_name: 'pushed to',
    target_id: null,
    target_iid: null,
    target_type: null,
    target_title: null,
    ...author,
    created_at: now.toISOString(),
    data: null,
    note: null,
    push_data: {
      commit_count: 2,
      action: 'pushed',
      ref_type: 'branch',
      commit_from: A,
      commit_to: B,
      ref: 'main',
      commit_title: 'Fix it',
    },
  });
  expect(body[5]).toMatchObject({
    target_id: note.id,
    target_type: 'Note',
    target_title: 'Broken',
    author_username: 'outsider',
    note: { ...note, author: expect.objectContaining({ id: outsider.id }) },
    push_data: null,
  });
  expect(body[6]).toMatchObject({
    target_id: issue.id,
    target_iid: 1,
    target_type: 'Issue',
    target_title: 'Broken',
    ...author,
  });
  expect(body[7]).toMatchObject(author);
  expect(body[8]).toMatchObject({ author_id: 1, target_type: 'Project', target_id: projectId });
  const ids = body.map(({ id }: { id: number }) => id);
  expect(ids).toEqual([...ids].sort((a, b) => b - a));
});

test('events tell of things as they are now', async () => {
  const { projectId, events } = await scene();
  const issue = await settleIssue(forgelog, projectId, 1, { title: 'Old' });
  const notes = `/projects/${projectId}/issues/1/notes`;
  const { body: note } = await forgelog.post(notes, { body: 'before' });
  await forgelog.put(`${notes}/${note.id}`, { body: 'after' });
  await record(forgelog, issue.stream, 1, {
    type: 'IssueUpdated',
    data: { ...issue.ids, changes: { title: 'New' }, previous: null, updatedAt: null },
  });
  const [comment, opened] = (await forgelog.get(events)).body;
  expect(comment).toMatchObject({ target_title: 'New', note: { body: 'after' } });
  expect(opened.target_title).toBe('New');
  await forgelog.delete(`${notes}/${note.id}`);
  expect(await told(events)).toEqual(['opened', 'joined', 'created']);
  await record(forgelog, issue.stream, 1, { type: 'IssueDeleted', data: issue.ids });
  expect(await told(events)).toEqual(['joined', 'created']);
});

test('lists are filtered by action, target and day, and sorted either way', async () => {
  const start = now;
  const { developer, projectId, events } = await scene();
  await settleIssue(forgelog, projectId, 1, { author: developer });
  await forgelog.post(`/projects/${projectId}/issues/1/notes`, { body: 'x' }, developer.as);
  now = new Date('2026-03-12T00:00:00.000Z');
  await push(projectId, developer, moved(projectId, 'refs/heads/main', NONE, A));
  const { as } = developer;
  expect(await told(`${events}?action=created`, as)).toEqual(['opened', 'created']);
  expect(await told(`${events}?action=commented`, as)).toEqual(['commented on']);
  expect(await told(`${events}?action=pushed`, as)).toEqual(['pushed new']);
  expect(await told(`${events}?action=merged`, as)).toEqual([]);
  expect(await told(`${events}?target_type=issue`, as)).toEqual(['opened']);
  expect(await told(`${events}?target_type=note`, as)).toEqual(['commented on']);
  expect(await told(`${events}?target_type=project`, as)).toEqual(['created']);
  expect(await told(`${events}?target_type=user`, as)).toEqual(['joined']);
  expect(await told(`${events}?target_type=milestone`, as)).toEqual([]);
  expect(await told(`${events}?after=2026-03-11`, as)).toEqual(['pushed new']);
  expect(await told(`${events}?after=2026-03-12`, as)).toEqual([]);
  expect(await told(`${events}?after=2026-03-11T00:00:00.000Z`, as)).toEqual(['pushed new']);
  expect(await told(`${events}?before=2026-03-10T23:59:59%2B09:00`, as)).toEqual([]);
  expect(await told(`${events}?before=2026-03-12`, as)).toHaveLength(4);
  expect(await told(`${events}?before=2026-03-10`, as)).toEqual([]);
  expect(await told(`${events}?before=2026-03-13&after=2026-03-09&sort=asc`, as)).toEqual([
    'created',
    'joined',
    'opened',
    'commented on',
    'pushed new',
  ]);
  expect(await told(`${events}?per_page=2&page=2`, as)).toEqual(['opened', 'joined']);
  for (const [query, error] of [
    ['action=Pushed', 'action does not have a valid value'],
    ['target_type=epic', 'target_type does not have a valid value'],
    ['before=yesterday', 'before is invalid'],
    ['sort=up', 'sort does not have a valid value'],
  ])
    expect(await forgelog.get(`${events}?${query}`)).toMatchObject({ status: 400, body: { error } });
  now = start;
});

test('three years later nobody is told any more', async () => {
  const start = now;
  const { events } = await scene();
  now = new Date(start.getTime());
  now.setUTCFullYear(start.getUTCFullYear() + 3);
  expect(await told(events)).toEqual(['joined', 'created']);
  now = new Date(now.getTime() + 86_400_000);
  expect(await told(events)).toEqual([]);
  expect((await forgelog.get(events)).headers.get('x-total')).toBe('0');
  now = start;
});

test('one reads his own events, and with scope=all those of his projects', async () => {
  const { developer, projectId } = await scene();
  const colleague = await settleUser(forgelog, `colleague-${counter}`);
  await settleMember(forgelog, projectId, colleague, 20);
  await settleIssue(forgelog, projectId, 1, { author: colleague });
  const elsewhere = await scene({ visibility: 'public' });
  await settleIssue(forgelog, elsewhere.projectId, 1, { author: elsewhere.developer });
  expect(await told('/events', developer.as)).toEqual(['joined']);
  expect(await told('/events?scope=all', developer.as)).toEqual(['opened', 'joined', 'joined', 'created']);
  expect(await told('/events', colleague.as)).toEqual(['opened', 'joined']);
  expect(await told('/events?scope=all&action=created', colleague.as)).toEqual(['opened', 'created']);
  expect(await forgelog.get('/events', anonymous)).toMatchObject({
    status: 401,
    body: { message: '401 Unauthorized' },
  });
});

test('reading events takes read_user or api', async () => {
  const reader = await settleUser(forgelog, 'reader', { scopes: ['read_user'] });
  expect((await forgelog.get('/events', reader.as)).status).toBe(200);
  expect((await forgelog.get(`/users/${reader.id}/events`, reader.as)).status).toBe(200);
  const other = { token: await settleToken(forgelog, reader.id, ['read_repository']) };
  expect(await forgelog.get('/events', other)).toMatchObject({
    status: 403,
    body: { error: 'insufficient_scope', scope: 'api read_api read_user' },
  });
});

test("a user's events are those that the caller may see now", async () => {
  const open = await scene({ visibility: 'public' });
  const { developer } = open;
  const closed = await settleProject(forgelog, `closed-${counter}`);
  await settleMember(forgelog, closed, developer, 30);
  await settleIssue(forgelog, closed, 1, { author: developer });
  const path = `/users/${developer.id}/events`;
  expect(await told(path, anonymous)).toEqual(['joined']);
  expect(await told(path, outsider.as)).toEqual(['joined']);
  expect(await told(path, developer.as)).toEqual(['opened', 'joined', 'joined']);
  expect(await told(path)).toEqual(['opened', 'joined', 'joined']);
  expect(await told(`/users/${developer.username}/events`, anonymous)).toEqual(['joined']);
  // What he could read once, he reads no more when he has left.
  await record(forgelog, `projectMember-${closed}`, 1, {
    type: 'ProjectMemberRemoved',
    data: { projectId: closed, userId: developer.id, reason: 'removed' },
  });
  expect(await told(path, developer.as)).toEqual(['joined']);
  expect(await told('/events', developer.as)).toEqual(['joined']);
  expect(await told('/events?scope=all', developer.as)).toEqual(['joined', 'created']);
  expect(await told(path)).toEqual(['left', 'opened', 'joined', 'joined']);
  await record(forgelog, `project-${open.projectId}`, 1, {
    type: 'ProjectUpdated',
    data: { projectId: open.projectId, changes: { visibility: 'private' }, previous: null },
  });
  expect(await told(path, anonymous)).toEqual([]);
  for (const missing of ['99999999', 'nobody'])
    expect(await forgelog.get(`/users/${missing}/events`)).toMatchObject({
      status: 404,
      body: { message: '404 User Not Found' },
    });
});

test('a private profile keeps what its owner does to himself and to administrators', async () => {
  const shy = await settleUser(forgelog, 'shy', { profile: { private_profile: true } });
  const { projectId, developer } = await scene({ visibility: 'public' });
  await settleIssue(forgelog, projectId, 1, { author: shy });
  const path = `/users/${shy.id}/events`;
  for (const as of [anonymous, outsider.as, developer.as]) expect(await told(path, as)).toEqual([]);
  for (const as of [shy.as, {}]) expect(await told(path, as)).toEqual(['opened']);
  await record(forgelog, `user-${shy.id}`, shy.id, {
    type: 'UserUpdated',
    data: {
      userId: shy.id,
      changes: { profile: { private_profile: false } },
      previous: null,
      withheldChanges: [],
    },
  });
  expect(await told(path, anonymous)).toEqual(['opened']);
});

test('what is confidential is told to those who may read it', async () => {
  const { developer, projectId, events } = await scene({ visibility: 'public' });
  const author = await settleUser(forgelog, `author-${counter}`);
  const issue = await settleIssue(forgelog, projectId, 1, { author, confidential: true });
  const notes = `/projects/${projectId}/issues/1/notes`;
  await forgelog.post(notes, { body: 'secret' }, developer.as);
  const all = ['commented on', 'opened', 'joined', 'created'];
  for (const as of [developer.as, author.as, {}]) expect(await told(events, as)).toEqual(all);
  for (const as of [anonymous, outsider.as]) {
    expect(await told(events, as)).toEqual(['joined', 'created']);
    expect((await forgelog.get(events, as)).headers.get('x-total')).toBe('2');
    expect(await told(`/users/${author.id}/events`, as)).toEqual([]);
    expect(await told(`/users/${developer.id}/events`, as)).toEqual(['joined']);
  }
  expect(await told('/events', author.as)).toEqual(['opened']);
  await record(forgelog, issue.stream, 1, {
    type: 'IssueUpdated',
    data: { ...issue.ids, changes: { confidential: false }, previous: null, updatedAt: null },
  });
  expect(await told(events, anonymous)).toEqual(all);
  // A confidential note on an issue that everybody may read.
  const quiet = await forgelog.post(notes, { body: 'quiet', confidential: true }, outsider.as);
  expect(await told(events, anonymous)).toEqual(all);
  expect(await told(events, outsider.as)).toEqual(['commented on', ...all]);
  await forgelog.put(`${notes}/${quiet.body.id}`, { confidential: false }, outsider.as);
  expect(await told(events, anonymous)).toEqual(['commented on', ...all]);
});

test('guests of a private project are not told of its code, nor anybody of what is switched off', async () => {
  const { developer, projectId, events } = await scene();
  const guest = await settleUser(forgelog, `guest-${counter}`);
  await settleMember(forgelog, projectId, guest, 10);
  await settleIssue(forgelog, projectId, 1, { author: developer });
  await push(projectId, developer, moved(projectId, 'refs/heads/main', NONE, A));
  const path = `/users/${developer.id}/events`;
  expect(await told(events, guest.as)).toEqual(['opened', 'joined', 'joined', 'created']);
  expect(await told(path, guest.as)).toEqual(['opened', 'joined']);
  expect(await told('/events?scope=all', guest.as)).toEqual(['opened', 'joined', 'joined', 'created']);
  expect(await told(path, developer.as)).toEqual(['pushed new', 'opened', 'joined']);
  await record(forgelog, `project-${projectId}`, 1, {
    type: 'ProjectUpdated',
    data: {
      projectId,
      changes: { visibility: 'public', settings: { issues_access_level: 'disabled' } },
      previous: null,
    },
  });
  for (const as of [guest.as, anonymous]) {
    expect(await told(events, as)).toEqual(['pushed new', 'joined', 'joined', 'created']);
    expect(await told(path, as)).toEqual(['pushed new', 'joined']);
  }
  await record(forgelog, `project-${projectId}`, 1, {
    type: 'ProjectUpdated',
    data: { projectId, changes: { settings: { repository_access_level: 'private' } }, previous: null },
  });
  expect(await told(events, anonymous)).toEqual(['joined', 'joined', 'created']);
  expect(await told(path, anonymous)).toEqual(['joined']);
  expect(await told(path, developer.as)).toEqual(['pushed new', 'joined']);
});

test('a private project is not there for outsiders, and with it go its events', async () => {
  const { developer, projectId, events } = await scene();
  expect(await forgelog.get(events, outsider.as)).toMatchObject({
    status: 404,
    body: { message: '404 Project Not Found' },
  });
  expect((await forgelog.get(events, anonymous)).status).toBe(404);
  expect(await told(`/projects/root%2Fp-${counter}/events`, developer.as)).toEqual(['joined', 'created']);
  await record(forgelog, `project-${projectId}`, 1, {
    type: 'ProjectDeleted',
    data: { projectId, namespaceId: 1, fullPath: `root/p-${counter}` },
  });
  expect(await told('/events', developer.as)).toEqual([]);
});

test('internal projects are told of to users, external ones excepted', async () => {
  const external = await settleUser(forgelog, 'external', { external: true });
  const { developer, projectId } = await scene({ visibility: 'internal' });
  await push(projectId, developer, moved(projectId, 'refs/heads/main', NONE, A));
  const path = `/users/${developer.id}/events`;
  expect(await told(path, outsider.as)).toEqual(['pushed new', 'joined']);
  expect(await told(path, external.as)).toEqual([]);
  expect(await told(path, anonymous)).toEqual([]);
});
