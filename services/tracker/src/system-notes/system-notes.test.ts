import { issueDiscussions } from '@forgelog/contracts/tracker/discussions/discussion.api.ts';
import { issueNotes } from '@forgelog/contracts/tracker/discussions/note.api.ts';
import { createIssueLink, deleteIssueLink } from '@forgelog/contracts/tracker/issue-links/issue-link.api.ts';

import {
  cloneIssue,
  createIssue,
  deleteIssue,
  getIssue,
  moveIssue,
  updateIssue,
} from '@forgelog/contracts/tracker/issues/issue.api.ts';
import { projectLabels } from '@forgelog/contracts/tracker/labels/label.api.ts';
import { projectMilestones } from '@forgelog/contracts/tracker/milestones/milestone.api.ts';
import { issueTimeTracking } from '@forgelog/contracts/tracker/time-tracking/time-tracking.api.ts';
import { memberAdded, projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { discussionSlice } from '../discussions/discussion.slice.ts';
import { issueLinkSlice } from '../issue-links/issue-link.slice.ts';
import { issueSlice } from '../issues/issue.slice.ts';
import { issueTarget } from '../issues/issue.target.ts';
import { labelSlice } from '../labels/label.slice.ts';
import { milestoneSlice } from '../milestones/milestone.slice.ts';
import { inIssue, issueOpened } from '../testing/issue-events.ts';
import { timeTrackingSlice } from '../time-tracking/time-tracking.slice.ts';

const OWNER = 1;
const REPORTER = 2;
const STRANGER = 3;
const slices = [
  ...[issueSlice, labelSlice, milestoneSlice, issueLinkSlice],
  ...[discussionSlice([issueTarget]), timeTrackingSlice([issueTarget])],
];
const given = [
  ...[OWNER, REPORTER, STRANGER].map((id) => userCreated(id)),
  ...[projectCreated(7, { visibility: 'public' }), projectCreated(8), memberAdded(7, REPORTER, 20)],
  ...[issueOpened(2), issueOpened(3, { confidential: true })].map(inIssue),
  inIssue(issueOpened(1, { issueId: 81, projectId: 8 })),
];
const one = { id: 7, issue_iid: 1 };

async function started() {
  const { call, ports } = await startSlices(slices, given);
  await call(createIssue, { id: 7, iid: 1, title: 'One' }, OWNER);
  const update = (changes: object, caller = OWNER) => call(updateIssue, { ...one, ...changes }, caller);
  const bodies = async (caller: number | null = OWNER, more: object = {}) =>
    (await call(issueNotes.list, { ...one, sort: 'asc', per_page: 100, ...more }, caller)).body.map(
      ({ body }: { body: string }) => body,
    );
  return { call, ports, update, bodies };
}

test('each change is a note of whoever made it, in the words of its kind', async () => {
  const { call, update, bodies } = await started();
  const { body: bug } = await call(projectLabels.create, { id: 7, name: 'bug', color: '#ff0000' }, OWNER);
  const { body: ui } = await call(projectLabels.create, { id: 7, name: 'ui', color: '#ff0000' }, OWNER);
  const { body: first } = await call(projectMilestones.create, { id: 7, title: '1.0' }, OWNER);
  await update({ title: 'Two', add_labels: 'bug,ui', milestone_id: first.id, assignee_ids: [OWNER] });
  await update({ remove_labels: 'bug', assignee_ids: [REPORTER], milestone_id: 0, description: 'x' });
  await update({ due_date: '2026-12-05', confidential: true, discussion_locked: true });
  await update({ due_date: null, state_event: 'close' });
  await update({ confidential: false, state_event: 'reopen', discussion_locked: false });
  await call(issueTimeTracking.setEstimate, { ...one, duration: '1d' }, OWNER);
  await call(issueTimeTracking.addSpent, { ...one, duration: '90m' }, OWNER);
  await call(issueTimeTracking.addSpent, { ...one, duration: '-30m' }, OWNER);
  await call(issueTimeTracking.resetSpent, one, OWNER);
  await call(issueTimeTracking.resetEstimate, one, OWNER);
  expect(await bodies()).toEqual([
    ...['changed title from **One** to **Two**', `added ~${bug.id} ~${ui.id} labels`],
    ...['changed milestone to %1.0', 'assigned to @user1'],
    ...['changed the description', `removed ~${bug.id} label`, 'removed milestone'],
    'assigned to @user2 and unassigned @user1',
    ...['changed due date to December 5, 2026', 'made the issue confidential'],
    'locked the discussion in this issue',
    ...['removed due date', 'closed'],
    ...['made the issue visible to everyone', 'unlocked the discussion in this issue', 'reopened'],
    ...['changed time estimate to 1d', 'added 1h 30m of time spent', 'subtracted 30m of time spent'],
    ...['removed time spent', 'removed time estimate'],
  ]);
  expect((await call(getIssue, one, OWNER)).body.user_notes_count).toBe(0);
});

test('a note can be asked for, alone and in its discussion, and nobody changes or answers it', async () => {
  const { call, update } = await started();
  await update({ title: 'Two' }, OWNER);
  const [note] = (await call(issueNotes.list, one, null)).body;
  expect(note).toMatchObject({
    ...{ system: true, type: null, author: { id: OWNER }, noteable_type: 'Issue', noteable_iid: 1 },
    ...{ resolvable: false, confidential: false, body: 'changed title from **One** to **Two**' },
  });
  expect(Number.isSafeInteger(note.id) && note.id >= 2 ** 52).toBe(true);
  const noted = { ...one, note_id: note.id };
  expect((await call(issueNotes.get, noted, null)).body).toEqual(note);
  expect((await call(issueNotes.get, { ...noted, issue_iid: 2 }, null)).status).toBe(404);
  const [discussion] = (await call(issueDiscussions.list, one, null)).body;
  expect(discussion).toMatchObject({ individual_note: true, notes: [note] });
  const within = { ...one, discussion_id: discussion.id };
  expect((await call(issueDiscussions.get, within, null)).body).toEqual(discussion);
  const inThread = { ...within, note_id: note.id };
  expect((await call(issueDiscussions.getNote, inThread, null)).body).toEqual(note);
  const refused = [
    await call(issueNotes.edit, { ...noted, body: 'x' }, OWNER),
    await call(issueNotes.delete, noted, OWNER),
    await call(issueDiscussions.editNote, { ...inThread, body: 'x' }, OWNER),
    await call(issueDiscussions.deleteNote, inThread, OWNER),
    await call(issueDiscussions.reply, { ...within, body: 'x' }, OWNER),
  ];
  expect(refused.map(({ status, events }) => [status, events.length])).toEqual([
    ...[403, 403, 403, 403].map((status) => [status, 0]),
    [400, 0],
  ]);
});

test('the filter tells people and system apart, and order and pages hold both', async () => {
  const { call, update, bodies } = await started();
  await call(issueNotes.create, { ...one, body: 'first' }, OWNER);
  await update({ title: 'Two' });
  await call(issueNotes.create, { ...one, body: 'second' }, OWNER);
  await update({ state_event: 'close' });
  const all = ['first', 'changed title from **One** to **Two**', 'second', 'closed'];
  expect(await bodies()).toEqual(all);
  expect(await bodies(OWNER, { sort: 'desc', order_by: 'updated_at' })).toEqual(all.toReversed());
  expect(await bodies(OWNER, { activity_filter: 'only_comments' })).toEqual(['first', 'second']);
  expect(await bodies(OWNER, { activity_filter: 'only_activity' })).toEqual([all[1], all[3]]);
  expect(await bodies(OWNER, { per_page: 1, page: 2 })).toEqual([all[1]]);
  expect((await call(issueDiscussions.list, one, null)).body).toHaveLength(4);
  expect((await call(getIssue, one, OWNER)).body.user_notes_count).toBe(2);
});

test('texts go by the names of now, and say what is gone', async () => {
  const { call, update, bodies } = await started();
  for (const name of ['bug', 'ui'])
    await call(projectLabels.create, { id: 7, name, color: '#ff0000' }, OWNER);
  const { body: planned } = await call(projectMilestones.create, { id: 7, title: 'big one' }, OWNER);
  await update({ labels: 'bug,ui', milestone_id: planned.id });
  const [labels] = await bodies();
  const [, ui] = /~\d+ ~(\d+) labels/.exec(labels) ?? [];
  await call(projectLabels.delete, { id: 7, label_id: 'bug' }, OWNER);
  await call(projectMilestones.update, { id: 7, milestone_id: planned.id, title: 'bigger one' }, OWNER);
  expect(await bodies()).toEqual([`added ~${ui} + 1 deleted labels`, 'changed milestone to %"bigger one"']);
  await call(projectMilestones.delete, { id: 7, milestone_id: planned.id }, OWNER);
  expect((await bodies())[1]).toBe('changed milestone to a deleted milestone');
});

test('what names something hidden is for those who may see that, in lists, counts and by its id', async () => {
  const { call, bodies } = await started();
  const link = (iid: number, project = 7) =>
    call(createIssueLink, { ...one, target_project_id: project, target_issue_iid: iid }, OWNER);
  for (const [iid, project] of [[2], [3], [1, 8]] as const) await link(iid, project);
  const related = (name: string) => `marked this issue as related to ${name}`;
  expect((await bodies()).toSorted()).toEqual(['#2', '#3', 'user1/project8#1'].map(related));
  expect((await bodies(REPORTER)).toSorted()).toEqual([related('#2'), related('#3')]);
  expect(await bodies(null)).toEqual([related('#2')]);
  expect((await call(issueDiscussions.list, one, STRANGER)).body).toHaveLength(1);
  const all = (await call(issueNotes.list, one, OWNER)).body as { id: number; body: string }[];
  const hidden = all.find(({ body }) => body.endsWith('project8#1'))!;
  expect((await call(issueNotes.get, { ...one, note_id: hidden.id }, REPORTER)).status).toBe(404);
  expect((await call(issueNotes.get, { ...one, note_id: hidden.id }, OWNER)).status).toBe(200);
  const other = await call(issueNotes.list, { id: 7, issue_iid: 2 }, null);
  expect(other.body).toMatchObject([{ body: related('#1') }]);
  const linkId = 1;
  await call(deleteIssueLink, { ...one, issue_link_id: linkId }, OWNER);
  expect(await bodies(null)).toEqual([related('#2'), 'removed the relation with #2']);
});

test('both ends of a move and of a clone name the other one, to who may see that', async () => {
  const { call, bodies } = await started();
  await call(cloneIssue, { ...one, to_project_id: 8 }, OWNER);
  await call(moveIssue, { ...one, to_project_id: 8 }, OWNER);
  expect(await bodies()).toEqual(['cloned to user1/project8#2', 'moved to user1/project8#3', 'closed']);
  expect(await bodies(null)).toEqual(['closed']);
  const there = async (iid: number) =>
    (await call(issueNotes.list, { id: 8, issue_iid: iid }, OWNER)).body.map(
      ({ body }: { body: string }) => body,
    );
  expect(await there(2)).toEqual(['cloned from user1/project7#1']);
  expect(await there(3)).toEqual(['moved from user1/project7#1']);
});

test('a mention is noted once, by id, path and kind, for who may read where it is', async () => {
  const { call, bodies, update } = await started();
  const say = (issue_iid: number, body: string, more: object = {}, id = 7) =>
    call(issueNotes.create, { id, issue_iid, body, ...more }, OWNER);
  await say(2, 'See #1, `#1` and again #1!');
  await say(2, 'And #1 once more, user1/project7#1 too, but not &#1; or x#1.');
  await say(3, 'As in user1/PROJECT7#1');
  await say(1, 'Like user1/project7#1', {}, 8);
  // Who may not see it mentions nothing.
  await call(issueNotes.create, { id: 7, issue_iid: 2, body: 'user1/project8#1' }, STRANGER);
  await say(1, 'Myself: #1 and user1/project7#1');
  await say(2, '#2 #1', { confidential: true });
  await call(createIssue, { id: 7, title: 'Follows #1', description: '```\n#2\n```' }, OWNER);
  const from = (name: string) => `mentioned in issue ${name}`;
  const comments = ['Myself: #1 and user1/project7#1'];
  const noted = async (caller: number | null) =>
    ((await bodies(caller)) as string[]).toSorted().filter((body) => !comments.includes(body));
  expect(await noted(OWNER)).toEqual([from('#2'), from('#3'), from('#4'), from('user1/project8#1')]);
  expect(await noted(REPORTER)).toEqual([from('#2'), from('#3'), from('#4')]);
  expect(await noted(STRANGER)).toEqual([from('#2'), from('#4')]);
  const [mention] = (await call(issueNotes.list, { ...one, activity_filter: 'only_activity' }, null)).body;
  expect(mention).toMatchObject({
    ...{ body: from('#4'), noteable_type: 'Issue', noteable_iid: 1, system: true, author: { id: OWNER } },
    noteable_id: (await call(getIssue, one, OWNER)).body.id,
  });
  expect((await call(issueNotes.get, { ...one, note_id: mention.id }, STRANGER)).body).toEqual(mention);
  expect((await call(issueDiscussions.list, { ...one, per_page: 100 }, STRANGER)).body.at(-1).notes).toEqual([
    mention,
  ]);
  // Nothing is mentioned where only code names it, and no more where the issue is gone.
  expect((await call(issueNotes.list, { id: 7, issue_iid: 2 }, STRANGER)).body).toHaveLength(3);
  await call(deleteIssue, { id: 7, issue_iid: 4 }, OWNER);
  expect(await noted(STRANGER)).toEqual([from('#2')]);
  expect((await call(issueNotes.list, { id: 8, issue_iid: 1 }, OWNER)).body).toHaveLength(1);
  await update({ description: 'Blocks #2' });
  expect((await call(issueNotes.list, { id: 7, issue_iid: 2 }, null)).body[0].body).toBe(from('#1'));
});

test('an issue tells what it began with', async () => {
  const { call } = await started();
  const { body } = await call(
    createIssue,
    { id: 7, title: 'New', labels: 'bug', assignee_ids: [REPORTER], due_date: '2026-01-31' },
    OWNER,
  );
  const notes = await call(issueNotes.list, { id: 7, issue_iid: body.iid, sort: 'asc' }, null);
  expect(notes.body.map((note: { body: string }) => note.body)).toEqual([
    ...[expect.stringMatching(/^added ~\d+ label$/), 'assigned to @user2'],
    'changed due date to January 31, 2026',
  ]);
});
