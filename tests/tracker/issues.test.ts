import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { type Inhabitant, record, settleMember, settleProject, settleUser } from '../support/inhabitants.ts';

let forgelog: Forgelog;
let reporter: Inhabitant;
let guest: Inhabitant;
let outsider: Inhabitant;
let projectId: number;
let list: string;

beforeAll(async () => {
  forgelog = await startForgelog();
  projectId = await settleProject(forgelog, 'tracked');
  list = `/projects/${projectId}/issues`;
  reporter = await settleUser(forgelog, 'rita');
  guest = await settleUser(forgelog, 'gus');
  outsider = await settleUser(forgelog, 'otto');
  await settleMember(forgelog, projectId, reporter, 20);
  await settleMember(forgelog, projectId, guest, 10);
});
afterAll(() => forgelog.stop());

async function opened(given: object = {}, as: { token: string } = reporter.as) {
  const reply = await forgelog.post(list, { title: 'An issue', ...given }, as);
  expect(reply.status).toBe(201);
  return reply.body;
}
const pathOf = ({ iid }: { iid: number }) => `${list}/${iid}`;

test('an issue is opened, read, changed, closed, reopened and deleted', async () => {
  const created = await opened({
    title: 'First',
    description: '- [x] a\n- [ ] b',
    labels: 'bug, ui,bug',
    assignee_ids: [guest.id],
    due_date: '2026-12-24',
    issue_type: 'incident',
    weight: 3,
  });
  expect(created).toMatchObject({
    project_id: projectId,
    title: 'First',
    state: 'opened',
    labels: ['bug', 'ui'],
    author: { id: reporter.id, username: 'rita' },
    assignees: [{ id: guest.id }],
    assignee: { id: guest.id },
    type: 'INCIDENT',
    issue_type: 'incident',
    due_date: '2026-12-24',
    web_url: `${forgelog.url}/root/tracked/-/issues/${created.iid}`,
    references: {
      short: `#${created.iid}`,
      relative: `#${created.iid}`,
      full: `root/tracked#${created.iid}`,
    },
    has_tasks: true,
    task_status: '1 of 2 tasks completed',
    task_completion_status: { count: 2, completed_count: 1 },
    _links: { self: `${forgelog.url}/api/v4/projects/${projectId}/issues/${created.iid}` },
    weight: 3,
    epic: null,
    iteration: null,
    health_status: null,
    milestone: null,
    closed_at: null,
    closed_by: null,
    user_notes_count: 0,
  });
  const path = pathOf(created);
  expect((await forgelog.get(`/projects/root%2Ftracked/issues/${created.iid}`, reporter.as)).body).toEqual(
    created,
  );

  const changed = await forgelog.put(path, { title: 'Second', add_labels: ['x'], weight: null }, reporter.as);
  expect(changed.body).toMatchObject({ title: 'Second', labels: ['bug', 'ui', 'x'], weight: null });
  expect(changed.body.updated_at >= created.updated_at).toBe(true);

  const closed = await forgelog.put(path, { state_event: 'close' }, guest.as);
  expect(closed.body).toMatchObject({ state: 'closed', closed_by: { id: guest.id } });
  expect(closed.body.closed_at).toBe(closed.body.updated_at);
  const reopened = await forgelog.put(path, { state_event: 'reopen' }, reporter.as);
  expect(reopened.body).toMatchObject({ state: 'opened', closed_by: null, closed_at: null });

  expect((await forgelog.delete(path)).status).toBe(204);
  expect(await forgelog.get(path)).toMatchObject({ status: 404, body: { message: '404 Not found' } });
  expect(await forgelog.delete(path)).toMatchObject({
    status: 404,
    body: { message: '404 Issue Not Found' },
  });
  expect((await forgelog.put(path, { title: 'x' })).body).toEqual({ message: '404 Not found' });
});

test('what is wrong is said in the words that clients know', async () => {
  const head = await forgelog.system.store.head();
  const post = async (body: object) => (await forgelog.post(list, body, reporter.as)).body;
  expect(await post({})).toEqual({ error: 'title is missing' });
  expect(await post({ title: ' ' })).toEqual({ message: { title: ["can't be blank"] } });
  expect(await post({ title: '' })).toEqual({ message: { title: ["can't be blank"] } });
  expect(await post({ title: 'x'.repeat(256) })).toEqual({
    message: { title: ['is too long (maximum is 255 characters)'] },
  });
  expect(await post({ title: 'x', description: 'd'.repeat(1_048_577) })).toEqual({
    message: { description: ['is too long (maximum is 1048576 characters)'] },
  });
  expect(await post({ title: 'x', issue_type: 'epic' })).toEqual({
    error: 'issue_type does not have a valid value',
  });
  expect(await post({ title: 'x', due_date: '2026-02-30' })).toEqual({ error: 'due_date is invalid' });
  expect(await post({ title: 'x', milestone_id: 5 })).toEqual({ message: { milestone_id: ['is invalid'] } });
  expect((await forgelog.get(`${list}/abc`, reporter.as)).body).toEqual({ error: 'issue_iid is invalid' });
  for (const iid of ['0', '-1', '10000000', '9007199254740991'])
    expect((await forgelog.get(`${list}/${iid}`, reporter.as)).body).toEqual({ message: '404 Not found' });
  const appended = await forgelog.system.store.readAll({ after: head, limit: 9 });
  expect(appended.length).toBeLessThanOrEqual(1);

  const issue = await opened();
  const put = async (body: object) => forgelog.put(pathOf(issue), body, reporter.as);
  const empty = await put({});
  expect(empty.status).toBe(400);
  expect(empty.body.error).toMatch(
    /^title, .*, weight, epic_id, iteration_id are missing, at least one parameter must be provided$/,
  );
  expect((await put({ state_event: 'closed' })).body).toEqual({
    error: 'state_event does not have a valid value',
  });
  expect((await put({ title: '' })).body).toEqual({ message: { title: ["can't be blank"] } });
});

test('lists are cleared by what clients send for nothing', async () => {
  const full = { labels: ['a', 'b'], assignee_ids: [guest.id, reporter.id], due_date: '2026-12-24' };
  for (const cleared of [
    { assignee_ids: [0] },
    { assignee_ids: [] },
    { assignee_id: 0 },
    { assignee_id: null },
  ])
    expect((await forgelog.put(pathOf(await opened(full)), cleared, reporter.as)).body.assignees).toEqual([]);
  const form = async (fields: Record<string, string>) =>
    (await forgelog.call('PUT', pathOf(await opened(full)), { form: fields, ...reporter.as })).body;
  expect((await form({ labels: '' })).labels).toEqual([]);
  expect((await form({ due_date: '2026-11-30T23:00:00-05:00' })).due_date).toBe('2026-11-30');
  expect((await form({ due_date: '' })).due_date).toBeNull();
  expect((await form({ 'assignee_ids[]': '' })).assignees).toEqual([]);
  expect((await form({ milestone_id: '0' })).milestone).toBeNull();
  expect((await form({ remove_labels: 'a' })).labels).toEqual(['b']);
});

test('who cannot see the project, or is nobody, is not assigned', async () => {
  const issue = await opened({ assignee_ids: [outsider.id, guest.id, 999_999, guest.id] });
  expect(issue.assignees.map(({ id }: { id: number }) => id)).toEqual([guest.id]);
});

test('below Reporter, what plans the work is left aside', async () => {
  const issue = await opened(
    { labels: 'x', assignee_ids: [guest.id], milestone_id: 9, weight: 1, confidential: true },
    guest.as,
  );
  expect(issue).toMatchObject({
    labels: [],
    assignees: [],
    milestone: null,
    weight: null,
    confidential: true,
  });
  const changed = await forgelog.put(
    pathOf(issue),
    { title: 'Mine', labels: 'x', confidential: false },
    guest.as,
  );
  expect(changed.body).toMatchObject({ title: 'Mine', labels: [], confidential: true });
});

test('owners date an issue back and choose its number, others do not', async () => {
  const given = { created_at: '2020-01-02T03:04:05Z', iid: 500 };
  const issue = await opened(given, { token: forgelog.rootToken });
  expect(issue).toMatchObject({ iid: 500, created_at: '2020-01-02T03:04:05.000Z' });
  expect(await forgelog.post(list, { title: 'again', ...given })).toMatchObject({
    status: 409,
    body: { message: 'Duplicated issue' },
  });
  const next = await opened({ ...given, iid: 900 }, reporter.as);
  expect(next.iid).toBe(501);
  expect(next.created_at > '2026').toBe(true);
  const dated = await forgelog.put(pathOf(next), { updated_at: '2021-01-02T03:04:05Z' });
  expect(dated.body.updated_at).toBe('2021-01-02T03:04:05.000Z');
});

test('comments are counted, what the system notes is not, and who comments is told', async () => {
  const issue = await opened();
  const noteable = {
    projectId,
    groupId: null,
    noteableType: 'Issue',
    noteableId: issue.id,
    noteableIid: issue.iid,
    noteableSha: null,
    discussionId: 'a'.repeat(40),
  };
  const note = {
    noteId: 1,
    authorId: guest.id,
    body: 'x',
    createdAt: null,
    confidential: false,
    system: false,
    position: null,
    commitId: null,
  };
  const stream = `discussion-${noteable.discussionId}`;
  const read = async (as: { token: string }) => (await forgelog.get(pathOf(issue), as)).body;
  expect((await read(guest.as)).subscribed).toBe(false);
  await record(
    forgelog,
    stream,
    guest.id,
    { type: 'DiscussionStarted', data: { ...noteable, individualNote: true, ...note } },
    { type: 'NoteAdded', data: { ...noteable, ...note, noteId: 2, beginsThread: false } },
    {
      type: 'NoteAdded',
      data: { ...noteable, ...note, noteId: 3, authorId: 1, system: true, beginsThread: false },
    },
  );
  expect(await read(guest.as)).toMatchObject({ user_notes_count: 2, subscribed: true });
  expect((await read({ token: forgelog.rootToken })).subscribed).toBe(false);
  await record(forgelog, stream, guest.id, {
    type: 'NoteDeleted',
    data: {
      ...{ ...noteable, noteId: 2, authorId: guest.id, confidential: false, system: false, last: false },
      endsOpenThread: false,
    },
  });
  expect((await read(guest.as)).user_notes_count).toBe(1);
});

test('an issue that changed since is not deleted blindly', async () => {
  const issue = await opened();
  const since = (time: string) =>
    forgelog.delete(pathOf(issue), { headers: { 'If-Unmodified-Since': time } });
  expect(await since('Thu, 01 Jan 2015 00:00:00 GMT')).toMatchObject({
    status: 412,
    body: { message: '412 Precondition Failed' },
  });
  expect((await since(new Date(issue.updated_at).toUTCString())).status).toBe(204);
  // What is no date is no condition.
  const other = await opened();
  const unread = { headers: { 'If-Unmodified-Since': 'the day before 1' } };
  expect((await forgelog.delete(pathOf(other), unread)).status).toBe(204);
});

test('a project that goes takes its issues and to-dos along', async () => {
  const gone = await settleProject(forgelog, 'doomed', { visibility: 'public' });
  const issue = await forgelog.post(`/projects/${gone}/issues`, { title: 'Unfindable word' });
  expect((await forgelog.post(`/projects/${gone}/issues/${issue.body.iid}/todo`)).status).toBe(201);
  expect((await forgelog.get('/issues?scope=all&search=Unfindable')).body).toHaveLength(1);
  await record(forgelog, `project-${gone}`, 1, {
    type: 'ProjectDeleted',
    data: { projectId: gone, namespaceId: 1, fullPath: 'root/doomed' },
  });
  expect((await forgelog.get('/issues?scope=all&search=Unfindable')).body).toEqual([]);
  expect((await forgelog.get('/todos')).body).toEqual([]);
});

test('whoever closed an issue is named while he exists', async () => {
  const leaver = await settleUser(forgelog, 'leaver');
  await settleMember(forgelog, projectId, leaver, 30);
  const issue = await opened({}, leaver.as);
  const closed = await forgelog.put(pathOf(issue), { state_event: 'close' }, leaver.as);
  expect(closed.body.closed_by).toMatchObject({ username: 'leaver' });
  await record(forgelog, `user-${leaver.id}`, 1, {
    type: 'UserDeleted',
    data: {
      userId: leaver.id,
      namespaceId: 10_000 + leaver.id,
      username: 'leaver',
      email: 'leaver@example.com',
      hardDelete: false,
    },
  });
  const read = await forgelog.get(pathOf(issue), reporter.as);
  expect(read.body).toMatchObject({ state: 'closed', closed_by: null, author: { username: 'ghost' } });
});

test('a text cannot pass for a reference', async () => {
  const description = `\u0001u1\u0001 \\u0001h\\u0001 \ncx,1,\n`;
  const issue = await opened({ title: '"\u0001p1\u0001"', description, labels: ['\u0001u1\u0001', 'a\nb'] });
  expect(issue).toMatchObject({ title: '"\u0001p1\u0001"', description, labels: ['\u0001u1\u0001', 'a\nb'] });
  expect((await forgelog.get(`${list}?iids[]=${issue.iid}`, reporter.as)).body[0].description).toBe(
    description,
  );
});

test('no merge request is related yet', async () => {
  const issue = await opened();
  const related = await forgelog.get(`${pathOf(issue)}/related_merge_requests`, guest.as);
  expect(related).toMatchObject({ status: 200, body: [] });
  expect(related.headers.get('x-total')).toBe('0');
  expect((await forgelog.get(`${list}/99999/related_merge_requests`)).body).toEqual({
    message: '404 Not found',
  });
});
