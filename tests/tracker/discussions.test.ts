import { PROJECT_ARCHIVED } from '@forgelog/contracts/repo/projects/project.events.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Forgelog, forgelogForTest, startForgelog } from '../support/forgelog.ts';
import {
  type Inhabitant,
  record,
  settleIssue,
  settleMember,
  settleProject,
  settleUser,
} from '../support/inhabitants.ts';

let forgelog: Forgelog;
let maintainer: Inhabitant;
let reporter: Inhabitant;
let guest: Inhabitant;
let outsider: Inhabitant;
let publicProject: number;
let privateProject: number;
const anonymous = { token: null };

beforeAll(async () => {
  forgelog = await startForgelog();
  maintainer = await settleUser(forgelog, 'maintainer');
  reporter = await settleUser(forgelog, 'reporter');
  guest = await settleUser(forgelog, 'guest');
  outsider = await settleUser(forgelog, 'outsider');
  publicProject = await settleProject(forgelog, 'open', { visibility: 'public' });
  privateProject = await settleProject(forgelog, 'closed');
  for (const project of [publicProject, privateProject]) {
    await settleMember(forgelog, project, maintainer, 40);
    await settleMember(forgelog, project, reporter, 20);
    await settleMember(forgelog, project, guest, 10);
  }
});
afterAll(() => forgelog.stop());

let issues = 0;
async function newIssue(projectId: number, options: Parameters<typeof settleIssue>[3] = {}) {
  const issue = await settleIssue(forgelog, projectId, ++issues, options);
  const path = `/projects/${projectId}/issues/${issue.iid}`;
  return { ...issue, path, notes: `${path}/notes`, discussions: `${path}/discussions` };
}
const bodies = (notes: { body: string }[]) => notes.map(({ body }) => body);
const NOT_FOUND = { status: 404, body: { message: '404 Not found' } };
const NO_DISCUSSION = { status: 404, body: { message: '404 Discussion Not Found' } };
const FORBIDDEN = { status: 403, body: { message: '403 Forbidden' } };

test('a discussion is started, answered, read, edited and taken back', async () => {
  const issue = await newIssue(publicProject);
  const started = await forgelog.post(issue.discussions, { body: 'Why?' }, outsider.as);
  expect(started).toMatchObject({
    status: 201,
    body: { id: expect.stringMatching(/^[0-9a-f]{40}$/), individual_note: false },
  });
  expect(started.body.notes).toEqual([
    {
      id: expect.any(Number),
      type: 'DiscussionNote',
      body: 'Why?',
      attachment: null,
      author: expect.objectContaining({ id: outsider.id, username: 'outsider' }),
      created_at: expect.any(String),
      updated_at: started.body.notes[0].created_at,
      system: false,
      noteable_id: issue.id,
      noteable_type: 'Issue',
      noteable_iid: issue.iid,
      resolvable: false,
      confidential: false,
      commands_changes: {},
    },
  ]);
  const one = `${issue.discussions}/${started.body.id}`;
  const reply = await forgelog.post(`${one}/notes`, { body: 'Because.' }, guest.as);
  expect(reply).toMatchObject({
    status: 201,
    body: { type: 'DiscussionNote', body: 'Because.', author: { id: guest.id } },
  });
  // The specification lists note_id as required, though nobody can know it: sent or not, it changes nothing.
  const another = await forgelog.post(`${one}/notes`, { body: 'Really.', note_id: 1 }, guest.as);
  expect(another.status).toBe(201);
  const read = await forgelog.get(one, anonymous);
  expect(read.body).toEqual({
    ...started.body,
    notes: [...started.body.notes, reply.body, another.body],
  });
  expect((await forgelog.get(issue.discussions, anonymous)).body).toEqual([read.body]);
  expect((await forgelog.get(`${one}/notes/${reply.body.id}`)).body).toEqual(reply.body);

  const edited = await forgelog.put(`${one}/notes/${reply.body.id}`, { body: 'So.' }, guest.as);
  expect(edited).toMatchObject({ status: 200, body: { id: reply.body.id, body: 'So.' } });
  for (const { id } of [started.body.notes[0], reply.body, another.body]) {
    expect(await forgelog.delete(`${one}/notes/${id}`, maintainer.as)).toMatchObject({
      status: 204,
      text: '',
    });
  }
  expect(await forgelog.get(one)).toMatchObject(NO_DISCUSSION);
  expect(await forgelog.post(`${one}/notes`, { body: 'late' })).toMatchObject(NO_DISCUSSION);
  expect((await forgelog.get(issue.discussions)).body).toEqual([]);
  expect((await forgelog.get(issue.notes)).body).toEqual([]);
});

test('a plain note stands alone until somebody answers it', async () => {
  const issue = await newIssue(publicProject);
  const note = await forgelog.post(issue.notes, { body: 'Hm.' }, outsider.as);
  expect(note).toMatchObject({ status: 201, body: { type: null, body: 'Hm.', confidential: false } });
  const [alone] = (await forgelog.get(issue.discussions)).body;
  expect(alone).toEqual({ id: alone.id, individual_note: true, notes: [note.body] });
  const changed = await forgelog.put(`${issue.notes}/${note.body.id}`, { body: 'Hm!' }, outsider.as);
  expect(changed.body).toMatchObject({ type: null, body: 'Hm!' });
  await forgelog.post(`${issue.discussions}/${alone.id}/notes`, { body: 'What?' }, guest.as);
  const thread = await forgelog.get(`${issue.discussions}/${alone.id}`);
  expect(thread.body.individual_note).toBe(false);
  expect(thread.body.notes).toMatchObject([
    { type: 'DiscussionNote', body: 'Hm!' },
    { type: 'DiscussionNote', body: 'What?' },
  ]);
  expect((await forgelog.get(`${issue.notes}/${note.body.id}`, anonymous)).body.type).toBe('DiscussionNote');
});

test('notes are listed newest first, or as asked', async () => {
  const issue = await newIssue(publicProject);
  for (const [body, day] of [
    ['one', '03'],
    ['two', '01'],
    ['three', '02'],
  ])
    await forgelog.post(issue.notes, { body, created_at: `2026-01-${day}T00:00:00Z` });
  const list = async (query = '') => {
    const reply = await forgelog.get(`${issue.notes}${query}`, anonymous);
    return bodies(reply.body);
  };
  expect(await list()).toEqual(['one', 'three', 'two']);
  expect(await list('?sort=asc')).toEqual(['two', 'three', 'one']);
  const { body } = await forgelog.get(issue.notes);
  await forgelog.put(`${issue.notes}/${body[2].id}`, { body: 'two!' });
  expect(await list('?order_by=updated_at')).toEqual(['two!', 'one', 'three']);
  expect(await list('?order_by=updated_at&sort=asc')).toEqual(['three', 'one', 'two!']);
  expect(await list('?per_page=1&page=2')).toEqual(['three']);
  expect(await list('?activity_filter=only_comments')).toHaveLength(3);
  expect(await list('?activity_filter=only_activity')).toEqual([]);
  expect((await forgelog.get(`${issue.notes}?order_by=id`)).body).toEqual({
    error: 'order_by does not have a valid value',
  });
  // Discussions come in the order of their earliest notes.
  const threads = (await forgelog.get(issue.discussions)).body;
  expect(threads.flatMap(({ notes }: { notes: { body: string }[] }) => bodies(notes))).toEqual([
    'two!',
    'three',
    'one',
  ]);
});

test('discussions come in pages of twenty', async () => {
  const issue = await newIssue(publicProject);
  await Promise.all(
    Array.from({ length: 23 }, (_, at) => forgelog.post(issue.discussions, { body: `${at}` }, outsider.as)),
  );
  const first = await forgelog.get(issue.discussions, anonymous);
  const second = await forgelog.get(`${issue.discussions}?page=2`, anonymous);
  expect(first.headers.get('x-total')).toBe('23');
  expect([first.body.length, second.body.length]).toEqual([20, 3]);
  const ids = [...first.body, ...second.body].map(({ id }: { id: string }) => id);
  expect(new Set(ids).size).toBe(23);
});

test('only administrators and owners date what they write', async () => {
  const owner = await settleUser(forgelog, 'owner');
  const project = await settleProject(forgelog, 'owned', { owner, visibility: 'public' });
  await settleMember(forgelog, project, maintainer, 40);
  const issue = await newIssue(project);
  const given = { body: 'then', created_at: '2020-02-03T04:05:06Z' };
  for (const [as, taken] of [
    [owner.as, true],
    [{}, true],
    [maintainer.as, false],
    [outsider.as, false],
  ] as const) {
    const note = (await forgelog.post(issue.notes, given, as)).body;
    const discussion = (await forgelog.post(issue.discussions, given, as)).body;
    const reply = (await forgelog.post(`${issue.discussions}/${discussion.id}/notes`, given, as)).body;
    for (const { created_at } of [note, discussion.notes[0], reply])
      expect(created_at === '2020-02-03T04:05:06.000Z').toBe(taken);
  }
  expect((await forgelog.post(issue.notes, { ...given, created_at: 'then' })).body).toEqual({
    error: 'created_at is invalid',
  });
});

test('authors and maintainers change a note, others do not', async () => {
  const issue = await newIssue(publicProject);
  const { body: note } = await forgelog.post(issue.notes, { body: 'mine' }, guest.as);
  const path = `${issue.notes}/${note.id}`;
  for (const as of [reporter.as, outsider.as]) {
    expect(await forgelog.put(path, { body: 'theirs' }, as)).toMatchObject(FORBIDDEN);
    expect(await forgelog.delete(path, as)).toMatchObject(FORBIDDEN);
  }
  expect((await forgelog.put(path, { body: 'x' }, anonymous)).status).toBe(401);
  expect((await forgelog.delete(path, anonymous)).status).toBe(401);
  expect((await forgelog.get(path)).body.body).toBe('mine');
  expect((await forgelog.put(path, { body: 'moderated' }, maintainer.as)).body.body).toBe('moderated');
  expect((await forgelog.put(path, { body: 'mine again' }, guest.as)).status).toBe(200);
  expect((await forgelog.put(path, {}, guest.as)).body).toEqual({
    error: 'body, confidential are missing, at least one parameter must be provided',
  });
  const stale = { ...guest.as, headers: { 'If-Unmodified-Since': 'Mon, 01 Jan 2001 00:00:00 GMT' } };
  expect((await forgelog.delete(path, stale)).status).toBe(412);
  expect((await forgelog.delete(path, guest.as)).status).toBe(204);
  expect(await forgelog.get(path)).toMatchObject(NOT_FOUND);
  expect(await forgelog.delete(path)).toMatchObject(NOT_FOUND);
});

test('an empty body is refused in the words that clients know', async () => {
  const issue = await newIssue(publicProject);
  const { body: note } = await forgelog.post(issue.notes, { body: 'x' });
  const [{ id }] = (await forgelog.get(issue.discussions)).body;
  const head = await forgelog.system.store.head();
  for (const path of [issue.notes, issue.discussions, `${issue.discussions}/${id}/notes`]) {
    expect(await forgelog.post(path, {})).toMatchObject({ status: 400, body: { error: 'body is missing' } });
    expect(await forgelog.post(path, { body: ' ' })).toMatchObject({
      status: 400,
      body: { message: `400 Bad request - Note {:note=>["can't be blank"]}` },
    });
  }
  expect(await forgelog.put(`${issue.notes}/${note.id}`, { body: '' })).toMatchObject({
    status: 400,
    body: { message: `Failed to save note {:note=>["can't be blank"]}` },
  });
  expect((await forgelog.get(issue.notes)).body).toHaveLength(1);
  // Ids may have been reserved; nothing else was written.
  const appended = await forgelog.system.store.readAll({ after: head, limit: 9 });
  expect(appended.length).toBeLessThanOrEqual(1);
});

test('a note is found on its own issue and in its own discussion only', async () => {
  const [issue, other] = [await newIssue(publicProject), await newIssue(publicProject)];
  const { body: one } = await forgelog.post(issue.discussions, { body: 'one' });
  const { body: two } = await forgelog.post(issue.discussions, { body: 'two' });
  const noteId = one.notes[0].id;
  for (const path of [
    `${other.notes}/${noteId}`,
    `${issue.discussions}/${two.id}/notes/${noteId}`,
    `${other.discussions}/${one.id}/notes/${noteId}`,
    `${issue.notes}/99999999`,
    `/projects/${publicProject}/issues/99999999/notes/${noteId}`,
  ]) {
    expect(await forgelog.get(path)).toMatchObject(NOT_FOUND);
    expect(await forgelog.put(path, { body: 'x' })).toMatchObject(NOT_FOUND);
    expect(await forgelog.delete(path)).toMatchObject(NOT_FOUND);
  }
  expect(await forgelog.get(`${other.discussions}/${one.id}`)).toMatchObject(NO_DISCUSSION);
  expect(await forgelog.post(`${other.discussions}/${one.id}/notes`, { body: 'x' })).toMatchObject(
    NO_DISCUSSION,
  );
  expect(await forgelog.get(`/projects/${publicProject}/issues/99999999/discussions`)).toMatchObject(
    NOT_FOUND,
  );
});

test('what is said in a private project is for its members', async () => {
  const issue = await newIssue(privateProject);
  await forgelog.post(issue.notes, { body: 'inside' }, guest.as);
  expect(bodies((await forgelog.get(issue.notes, guest.as)).body)).toEqual(['inside']);
  expect(await forgelog.get(issue.notes, outsider.as)).toMatchObject({
    status: 404,
    body: { message: '404 Project Not Found' },
  });
  expect((await forgelog.post(issue.notes, { body: 'x' }, outsider.as)).status).toBe(404);
  expect((await forgelog.get(issue.discussions, anonymous)).status).toBe(404);
});

test('anonymous callers read on public projects and write nowhere', async () => {
  const issue = await newIssue(publicProject);
  expect((await forgelog.get(issue.notes, anonymous)).status).toBe(200);
  expect(await forgelog.post(issue.notes, { body: 'x' }, anonymous)).toMatchObject({
    status: 401,
    body: { message: '401 Unauthorized' },
  });
  expect((await forgelog.post(issue.discussions, { body: 'x' }, anonymous)).status).toBe(401);
});

test('a confidential issue is not there for those who may not read it', async () => {
  const author = await settleUser(forgelog, 'author');
  const assignee = await settleUser(forgelog, 'assignee');
  const issue = await newIssue(publicProject, {
    confidential: true,
    author,
    assigneeIds: [assignee.id],
  });
  const { body: note } = await forgelog.post(issue.notes, { body: 'secret' }, author.as);
  const comments = `${issue.notes}?activity_filter=only_comments`;
  for (const as of [author.as, assignee.as, reporter.as, maintainer.as, {}])
    expect(bodies((await forgelog.get(comments, as)).body)).toEqual(['secret']);
  for (const as of [guest.as, outsider.as]) {
    for (const path of [issue.notes, issue.discussions, `${issue.notes}/${note.id}`])
      expect(await forgelog.get(path, as)).toMatchObject(NOT_FOUND);
    expect(await forgelog.post(issue.notes, { body: 'x' }, as)).toMatchObject(NOT_FOUND);
    expect(await forgelog.delete(`${issue.notes}/${note.id}`, as)).toMatchObject(NOT_FOUND);
  }
  expect(await forgelog.get(issue.notes, anonymous)).toMatchObject(NOT_FOUND);
  // As soon as it is confidential no more, everybody reads on.
  await record(forgelog, issue.stream, 1, {
    type: 'IssueUpdated',
    data: { ...issue.ids, changes: { confidential: false }, previous: null, updatedAt: null },
  });
  expect(bodies((await forgelog.get(comments, anonymous)).body)).toEqual(['secret']);
});

test('a confidential note is for reporters, the author and assignees of the issue, and its own author', async () => {
  const author = await settleUser(forgelog, 'issue-author');
  const issue = await newIssue(publicProject, { author });
  await forgelog.post(issue.notes, { body: 'open' }, guest.as);
  const { body: note } = await forgelog.post(issue.notes, { body: 'quiet', confidential: true }, outsider.as);
  expect(note.confidential).toBe(true);
  const one = `${issue.notes}/${note.id}`;
  const discussions = (await forgelog.get(issue.discussions)).body;
  const thread = `${issue.discussions}/${discussions[1].id}`;
  const reply = await forgelog.post(`${thread}/notes`, { body: 'quieter' }, reporter.as);
  expect(reply.body.confidential).toBe(true);
  for (const as of [author.as, reporter.as, {}]) {
    expect(bodies((await forgelog.get(`${issue.notes}?sort=asc`, as)).body)).toEqual([
      'open',
      'quiet',
      'quieter',
    ]);
    expect((await forgelog.get(thread, as)).body.notes).toHaveLength(2);
  }
  // Who wrote it reads his own; the answer is not for him.
  expect(bodies((await forgelog.get(thread, outsider.as)).body.notes)).toEqual(['quiet']);
  for (const as of [guest.as, anonymous]) {
    const list = await forgelog.get(issue.notes, as);
    expect(bodies(list.body)).toEqual(['open']);
    expect(list.headers.get('x-total')).toBe('1');
    const threads = await forgelog.get(issue.discussions, as);
    expect(threads.body).toHaveLength(1);
    expect(threads.headers.get('x-total')).toBe('1');
    expect(await forgelog.get(one, as)).toMatchObject(NOT_FOUND);
    expect(await forgelog.get(thread, as)).toMatchObject(NO_DISCUSSION);
  }
  expect(await forgelog.post(`${thread}/notes`, { body: 'x' }, guest.as)).toMatchObject(NO_DISCUSSION);
  expect(await forgelog.delete(one, guest.as)).toMatchObject(NOT_FOUND);
  await forgelog.put(one, { confidential: false }, outsider.as);
  expect(bodies((await forgelog.get(thread, anonymous)).body.notes)).toEqual(['quiet']);
});

test('a locked discussion is for members', async () => {
  const issue = await newIssue(publicProject);
  const { body: note } = await forgelog.post(issue.notes, { body: 'before' }, outsider.as);
  const [{ id }] = (await forgelog.get(issue.discussions)).body;
  await record(forgelog, issue.stream, 1, {
    type: 'IssueUpdated',
    data: { ...issue.ids, changes: { discussionLocked: true }, previous: null, updatedAt: null },
  });
  expect(await forgelog.post(issue.notes, { body: 'x' }, outsider.as)).toMatchObject(FORBIDDEN);
  expect(await forgelog.post(issue.discussions, { body: 'x' }, outsider.as)).toMatchObject(FORBIDDEN);
  expect(await forgelog.post(`${issue.discussions}/${id}/notes`, { body: 'x' }, outsider.as)).toMatchObject(
    FORBIDDEN,
  );
  expect(await forgelog.put(`${issue.notes}/${note.id}`, { body: 'x' }, outsider.as)).toMatchObject(
    FORBIDDEN,
  );
  expect(await forgelog.delete(`${issue.notes}/${note.id}`, outsider.as)).toMatchObject(FORBIDDEN);
  expect(
    bodies((await forgelog.get(`${issue.notes}?activity_filter=only_comments`, outsider.as)).body),
  ).toEqual(['before']);
  expect((await forgelog.post(issue.notes, { body: 'after' }, guest.as)).status).toBe(201);
});

test('issues that are switched off or archived take no notes', async () => {
  const off = await settleProject(forgelog, 'no-issues', { settings: { issues_access_level: 'disabled' } });
  const issue = await newIssue(off);
  expect((await forgelog.get(issue.notes)).status).toBe(403);
  const archived = await settleProject(forgelog, 'archived', { visibility: 'public' });
  const old = await newIssue(archived);
  await record(forgelog, `project-${archived}`, 1, {
    type: 'ProjectArchived',
    data: { projectId: archived, ...PROJECT_ARCHIVED },
  });
  expect((await forgelog.post(old.notes, { body: 'x' })).status).toBe(403);
  expect((await forgelog.get(old.notes, anonymous)).status).toBe(200);
});

test('there are no epics to promote to, and the note says so', async () => {
  const issue = await newIssue(publicProject);
  const promote = async (body: string) => (await forgelog.post(issue.notes, { body })).body.commands_changes;
  expect(await promote('Too big.\n/promote')).toEqual({ promote_to_epic: false });
  expect(await promote('/promote')).toEqual({ promote_to_epic: false });
  expect(await promote('do not /promote')).toEqual({});
  expect(await promote('/promoted')).toEqual({});
});

test('the free edition has no /promote, but takes notes all the same', async () => {
  const free = await forgelogForTest({ environment: { EDITION: 'free' } });
  const projectId = await settleProject(free, 'free');
  await settleIssue(free, projectId, 1);
  const note = await free.post(`/projects/${projectId}/issues/1/notes`, { body: '/promote' });
  expect(note).toMatchObject({ status: 201, body: { body: '/promote', commands_changes: {} } });
});

test('notes of a deleted issue are gone', async () => {
  const issue = await newIssue(publicProject);
  const { body: note } = await forgelog.post(issue.notes, { body: 'x' });
  await record(forgelog, issue.stream, 1, { type: 'IssueDeleted', data: issue.ids });
  expect(await forgelog.get(`${issue.notes}/${note.id}`)).toMatchObject(NOT_FOUND);
  expect(await forgelog.get(issue.discussions)).toMatchObject(NOT_FOUND);
});

test('a token that may only read does not write', async () => {
  const reader = await settleUser(forgelog, 'reader', { scopes: ['read_api'] });
  const issue = await newIssue(publicProject);
  expect((await forgelog.get(issue.notes, reader.as)).status).toBe(200);
  expect(await forgelog.post(issue.notes, { body: 'x' }, reader.as)).toMatchObject({
    status: 403,
    body: { error: 'insufficient_scope', scope: 'api' },
  });
});

test('everybody may answer at once', async () => {
  const issue = await newIssue(publicProject);
  const { body } = await forgelog.post(issue.discussions, { body: 'go' });
  const path = `${issue.discussions}/${body.id}/notes`;
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, at) => forgelog.post(path, { body: `${at}` }, guest.as)),
  );
  expect(replies.every(({ status }) => status === 201)).toBe(true);
  const ids = replies.map((reply) => reply.body.id);
  expect(new Set(ids).size).toBe(20);
  expect((await forgelog.get(`${issue.discussions}/${body.id}`)).body.notes).toHaveLength(21);
});
