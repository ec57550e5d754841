import { issueNotes } from '@forgelog/contracts/tracker/discussions/note.api.ts';
import { memberAdded, projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { issueSlice } from '../issues/issue.slice.ts';
import { issueTarget } from '../issues/issue.target.ts';
import { inIssue, issueOpened, issueUpdated } from '../testing/issue-events.ts';
import { inDiscussion, noteStarted } from '../testing/note-events.ts';
import { discussionSlice } from './discussion.slice.ts';

const OWNER = 1;
const MAINTAINER = 2;
const REPORTER = 3;
const STRANGER = 4;
const given = [
  ...[OWNER, MAINTAINER, REPORTER, STRANGER].map((id) => userCreated(id)),
  projectCreated(7, { visibility: 'public' }),
  ...[memberAdded(7, MAINTAINER, 40), memberAdded(7, REPORTER, 20)],
  inIssue(issueOpened(1)),
];
const start = (...more: typeof given) =>
  startSlices([issueSlice, discussionSlice([issueTarget])], [...given, ...more]);
const onIssue = { id: 7, issue_iid: 1 };

test.each([
  ['an owner', OWNER, '2020-01-02T00:00:00.000Z'],
  ['a maintainer', MAINTAINER, null],
  ['a stranger', STRANGER, null],
])('the date that %s gives a note counts for owners alone', async (_, caller, createdAt) => {
  const { call } = await start();
  const note = { ...onIssue, body: 'Why?', created_at: '2020-01-02' };
  expect((await call(issueNotes.create, note, caller)).events).toMatchObject([
    { type: 'DiscussionStarted', data: { createdAt } },
  ]);
});

test('a note of another is changed by maintainers, and deleted by them', async () => {
  const { call } = await start(inDiscussion(noteStarted(5, { authorId: STRANGER })));
  const note = { ...onIssue, note_id: 5 };
  expect((await call(issueNotes.edit, { ...note, body: 'x' }, REPORTER)).status).toBe(403);
  expect((await call(issueNotes.delete, note, REPORTER)).status).toBe(403);
  expect((await call(issueNotes.edit, { ...note, body: 'x' }, MAINTAINER)).status).toBe(200);
  expect((await call(issueNotes.delete, note, MAINTAINER)).status).toBe(204);
});

test('where a discussion is locked strangers change and delete not even their own', async () => {
  const locked = inIssue(issueUpdated(1, { discussionLocked: true }));
  const { call } = await start(inDiscussion(noteStarted(5, { authorId: STRANGER })), locked);
  const note = { ...onIssue, note_id: 5 };
  expect(await call(issueNotes.edit, { ...note, body: 'x' }, STRANGER)).toMatchObject({
    status: 403,
    events: [],
  });
  expect(await call(issueNotes.delete, note, STRANGER)).toMatchObject({ status: 403, events: [] });
});
