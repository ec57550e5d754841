import { issueDiscussions } from '@forgelog/contracts/tracker/discussions/discussion.api.ts';
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
const REPORTER = 2;
const STRANGER = 3;
const slices = [issueSlice, discussionSlice([issueTarget])];
const given = [
  ...[OWNER, REPORTER, STRANGER].map((id) => userCreated(id)),
  projectCreated(7, { visibility: 'public' }),
  memberAdded(7, REPORTER, 20),
  inIssue(issueOpened(1)),
];
const onIssue = { id: 7, issue_iid: 1 };

test('a stranger starts a discussion, a reporter replies, and each edits and deletes their own', async () => {
  const { call } = await startSlices(slices, given);
  const started = await call(issueDiscussions.start, { ...onIssue, body: 'Since when?' }, STRANGER);
  expect(started).toMatchObject({
    status: 201,
    body: { individual_note: false, notes: [{ id: 1, noteable_type: 'Issue', noteable_iid: 1 }] },
    events: [{ type: 'DiscussionStarted', data: { noteableType: 'Issue', noteableId: 71 } }],
  });
  const thread = { ...onIssue, discussion_id: started.body.id };
  expect(await call(issueDiscussions.reply, { ...thread, body: 'Today' }, REPORTER)).toMatchObject({
    status: 201,
    body: { id: 2, type: 'DiscussionNote', author: { id: REPORTER } },
  });
  const own = { ...thread, note_id: 1 };
  expect((await call(issueDiscussions.editNote, { ...own, body: 'Why?' }, REPORTER)).status).toBe(403);
  expect(await call(issueDiscussions.editNote, { ...own, body: 'Why?' }, STRANGER)).toMatchObject({
    status: 200,
    body: { body: 'Why?' },
    events: [{ type: 'NoteEdited' }],
  });
  expect((await call(issueDiscussions.getNote, own, null)).body).toMatchObject({ body: 'Why?' });
  expect((await call(issueDiscussions.deleteNote, own, STRANGER)).status).toBe(204);
  expect((await call(issueDiscussions.list, onIssue, null)).body).toMatchObject([{ notes: [{ id: 2 }] }]);
});

test('a confidential note is for reporters and its author', async () => {
  const { call } = await startSlices(slices, [
    ...given,
    inDiscussion(noteStarted(1, { authorId: STRANGER, confidential: true })),
    inDiscussion(noteStarted(2, { authorId: REPORTER, confidential: true })),
    inDiscussion(noteStarted(3)),
  ]);
  const seen = async (caller: number | null) => {
    const found = await call(issueNotes.list, { ...onIssue, sort: 'asc' }, caller);
    return found.body.map(({ id }: { id: number }) => id);
  };
  expect([await seen(REPORTER), await seen(STRANGER), await seen(null)]).toEqual([[1, 2, 3], [1, 3], [3]]);
  expect((await call(issueNotes.get, { ...onIssue, note_id: 2 }, STRANGER)).status).toBe(404);
  expect((await call(issueDiscussions.list, onIssue, null)).body).toHaveLength(1);
});

test('what is on a hidden issue answers like what is not there', async () => {
  const { call } = await startSlices(slices, [...given, inIssue(issueUpdated(1, { confidential: true }))]);
  const refused = [
    await call(issueNotes.list, onIssue, STRANGER),
    await call(issueNotes.list, { ...onIssue, issue_iid: 2 }, REPORTER),
    await call(issueNotes.create, { ...onIssue, body: 'x' }, STRANGER),
  ];
  for (const { status, body, events } of refused)
    expect({ status, body, events }).toEqual({ status: 404, body: { message: '404 Not found' }, events: [] });
});

test('a locked discussion is for members, and a blank note is none', async () => {
  const { call } = await startSlices(slices, [
    ...given,
    inIssue(issueUpdated(1, { discussionLocked: true })),
  ]);
  expect((await call(issueNotes.create, { ...onIssue, body: 'x' }, STRANGER)).status).toBe(403);
  expect(await call(issueNotes.create, { ...onIssue, body: ' ' }, REPORTER)).toMatchObject({
    status: 400,
    events: [],
  });
  expect((await call(issueNotes.create, { ...onIssue, body: 'x' }, REPORTER)).body).toMatchObject({ id: 1 });
});
