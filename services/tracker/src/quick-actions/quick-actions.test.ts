import { issueAwards } from '@forgelog/contracts/tracker/award-emoji/award-emoji.api.ts';
import { issueDiscussions } from '@forgelog/contracts/tracker/discussions/discussion.api.ts';
import { issueNotes } from '@forgelog/contracts/tracker/discussions/note.api.ts';
import { createIssue, getIssue, updateIssue } from '@forgelog/contracts/tracker/issues/issue.api.ts';
import { projectMilestones } from '@forgelog/contracts/tracker/milestones/milestone.api.ts';
import { listTodos } from '@forgelog/contracts/tracker/todos/todo.api.ts';
import { memberAdded, projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { awardSlice } from '../award-emoji/award.slice.ts';
import { discussionSlice } from '../discussions/discussion.slice.ts';
import { issueSlice } from '../issues/issue.slice.ts';
import { issueTarget } from '../issues/issue.target.ts';
import { labelSlice } from '../labels/label.slice.ts';
import { milestoneSlice } from '../milestones/milestone.slice.ts';
import { inIssue, issueOpened } from '../testing/issue-events.ts';
import { todoSlice } from '../todos/todo.slice.ts';

const OWNER = 1;
const STRANGER = 2;
const REPORTER = 3;
const kinds = [issueTarget];
const slices = [issueSlice, labelSlice, discussionSlice(kinds), todoSlice(kinds), awardSlice(kinds)];
const given = [
  ...[OWNER, STRANGER, REPORTER].map((id) => userCreated(id)),
  projectCreated(7, { visibility: 'public' }),
  memberAdded(7, REPORTER, 20),
  inIssue(issueOpened(1, { labels: ['old'] })),
];
const one = { id: 7, issue_iid: 1 };
const clock = () => new Date('2030-01-10T12:00:00Z');
const start = () => startSlices(slices, given, { clock });

test('a note of nothing but commands changes the issue by one append, and is no note', async () => {
  const { call } = await start();
  const body = [
    ...['/title Renamed', '/label ~bug ~"to do"', '/unlabel ~old', '/assign me', '/due in 2 days', '/lock'],
    ...['/confidential', '/estimate 1h', '/spend 30m', '/spend 15m', '/close'],
  ].join('\n');
  const answer = await call(issueNotes.create, { ...one, body }, REPORTER);
  expect(answer.status).toBe(202);
  expect(answer.body).toEqual({
    commands_changes: {
      ...{ title: 'Renamed', add_labels: ['bug', 'to do'], remove_labels: ['old'], state_event: 'close' },
      ...{ assignee_ids: [REPORTER], due_date: '2030-01-12', discussion_locked: true, confidential: true },
      ...{ time_estimate: 3600, spend_time: { duration: 900, user_id: REPORTER } },
    },
    summary: [
      [
        ...['Changed the title to "Renamed".', 'Added ~bug ~"to do" labels.', 'Removed ~old label.'],
        ...['Assigned @user3.', 'Set the due date to Jan 12, 2030.', 'Locked the discussion.'],
        ...['Made this issue confidential.', 'Set time estimate to 1h.', 'Added 30m spent time.'],
        ...['Added 15m spent time.', 'Closed this issue.'],
      ].join(' '),
    ],
  });
  expect(answer.events.map(({ type }) => type)).toEqual([
    ...['LabelCreated', 'LabelCreated'],
    ...['IssueUpdated', 'IssueClosed', 'IssueTimeEstimateSet', 'IssueTimeSpentAdded', 'IssueTimeSpentAdded'],
  ]);
  expect((await call(getIssue, one, OWNER)).body).toMatchObject({
    ...{ title: 'Renamed', state: 'closed', labels: ['bug', 'to do'], due_date: '2030-01-12' },
    ...{ assignees: [{ id: REPORTER }], time_stats: { total_time_spent: 2700 }, user_notes_count: 0 },
  });
});

test('a note with commands is what it says besides them', async () => {
  const { call } = await start();
  const body = 'Done here.\n\n/close';
  const note = await call(issueNotes.create, { ...one, body }, OWNER);
  expect(note).toMatchObject({
    status: 201,
    body: { body: 'Done here.', commands_changes: { state_event: 'close' } },
    events: [{ type: 'DiscussionStarted', data: { body: 'Done here.' } }, { type: 'IssueClosed' }],
  });
  const thread = await call(issueDiscussions.start, { ...one, body: 'Or not\n/reopen' }, OWNER);
  expect(thread.body.notes).toMatchObject([{ body: 'Or not' }]);
  const reply = { ...one, discussion_id: thread.body.id, body: '/close' };
  expect(await call(issueDiscussions.reply, reply, OWNER)).toMatchObject({
    status: 202,
    body: { summary: ['Closed this issue.'] },
  });
  expect(await call(issueNotes.create, { ...one, body: '/shrug Well' }, OWNER)).toMatchObject({
    status: 201,
    body: { body: 'Well ¯\\_(ツ)_/¯', commands_changes: {} },
  });
});

test('what the writer may not, what has no effect and what names nobody is told, and changes nothing', async () => {
  const { call } = await start();
  const body =
    '/close\n/label x\n/assign @user3\n/estimate 1h\n/merge\n/reopen\n/award thumbsup\n/award :thumbsup:';
  expect(await call(issueNotes.create, { ...one, body }, STRANGER)).toMatchObject({
    status: 202,
    body: {
      commands_changes: { emoji_award: 'thumbsup' },
      summary: [
        [
          ...['close', 'label', 'assign', 'estimate', 'merge', 'reopen', 'award'].map(
            (name) => `Could not apply ${name} command.`,
          ),
          'Toggled :thumbsup: emoji award.',
        ].join(' '),
      ],
    },
    events: [{ type: 'EmojiAwarded' }],
  });
  const nobody = { ...one, body: '/assign @nobody\n/due someday\n/spend -1h\n/title\n/unassign\n/draft' };
  expect(await call(issueNotes.create, nobody, OWNER)).toMatchObject({
    status: 202,
    body: {
      commands_changes: {},
      summary: [
        [
          'Failed to assign a user because no user was found.',
          ...['due', 'spend', 'title', 'unassign', 'draft'].map((name) => `Could not apply ${name} command.`),
        ].join(' '),
      ],
    },
    events: [],
  });
  const anonymous = await call(issueNotes.create, { ...one, body: '/close' }, null);
  expect(anonymous).toMatchObject({ status: 401, events: [] });
});

test('what is the writer’s own asks for no right but to read', async () => {
  const { call } = await start();
  const say = async (body: string) =>
    (await call(issueNotes.create, { ...one, body }, STRANGER)).body.summary[0];
  expect(await say('/subscribe\n/todo')).toBe('Subscribed to this issue. Added a to-do item.');
  expect((await call(getIssue, one, STRANGER)).body.subscribed).toBe(true);
  expect((await call(listTodos, {}, STRANGER)).body).toHaveLength(1);
  expect(await say('/todo\n/done\n/done')).toBe(
    'Could not apply todo command. Marked to-do item as done. Could not apply done command.',
  );
  expect(await say('/unsubscribe\n/unsubscribe')).toBe(
    'Unsubscribed from this issue. Could not apply unsubscribe command.',
  );
  expect(await say('/award :+1:\n/award :thumbsup:\n/award :tada:')).toContain('Toggled :tada: emoji award.');
  const awards = await call(issueAwards.onTarget.list, one, STRANGER);
  expect(awards.body.map(({ name }: { name: string }) => name)).toEqual(['tada']);
});

test('an issue is opened as the commands in its text say, and has no more of them', async () => {
  const { call } = await start();
  const description =
    'It stops.\n\n/label ~bug\n/assign @user3\n/due 2030-02-01\n/estimate 2h\n/close\n/subscribe';
  const opened = await call(createIssue, { id: 7, title: 'A', labels: 'later', description }, OWNER);
  expect(opened).toMatchObject({
    status: 201,
    body: {
      ...{ description: 'It stops.', labels: ['later', 'bug'], assignees: [{ id: REPORTER }] },
      ...{ due_date: '2030-02-01', state: 'opened', time_stats: { time_estimate: 7200 } },
    },
  });
  expect(opened.events.map(({ type }) => type)).toEqual([
    'LabelCreated',
    'LabelCreated',
    'IssueOpened',
    'IssueTimeEstimateSet',
  ]);
  const plain = await call(createIssue, { id: 7, title: 'B', description }, STRANGER);
  expect(plain.body).toMatchObject({ description: 'It stops.', labels: [], due_date: null, assignees: [] });
});

test('a text that is changed has its commands applied in the same append', async () => {
  const { call } = await start();
  const description = 'New\n/close\n/relabel ~done\n/todo';
  const changed = await call(updateIssue, { ...one, description, title: 'T' }, OWNER);
  expect(changed.body).toMatchObject({ description: 'New', title: 'T', state: 'closed', labels: ['done'] });
  expect(changed.events.map(({ type }) => type)).toEqual([
    'LabelCreated',
    'IssueUpdated',
    'IssueClosed',
    'TodoCreated',
  ]);
});

test('a text of 10,000 commands has its first 100 applied', async () => {
  const { call } = await start();
  const hostile = { ...one, body: '/spend 1s\n'.repeat(10_000) };
  const answer = await call(issueNotes.create, hostile, OWNER);
  expect(answer.status).toBe(202);
  expect(answer.events).toHaveLength(100);
  expect(answer.body.summary[0]).toMatch(/Only the first 100 commands are applied\.$/);
  const huge = { ...one, body: `/label ${'~a '.repeat(100_000)}\n/assign ${'@user3 '.repeat(300)}` };
  expect((await call(issueNotes.create, huge, OWNER)).body.summary).toEqual([
    'Could not apply label command. Could not apply assign command.',
  ]);
});

test('a milestone is given by its title and taken away, and one that is closed or elsewhere is none', async () => {
  const { call } = await startSlices([...slices, milestoneSlice], given, { clock });
  const made = async (id: number, title: string) =>
    (await call(projectMilestones.create, { id, title }, OWNER)).body.id as number;
  const [first, second] = [await made(7, '1.0'), await made(7, 'Second voyage')];
  await call(
    projectMilestones.update,
    { id: 7, milestone_id: await made(7, 'Done'), state_event: 'close' },
    OWNER,
  );
  const say = async (body: string, as = REPORTER) =>
    (await call(issueNotes.create, { ...one, body }, as)).body;
  const milestone = async () => (await call(getIssue, one, OWNER)).body.milestone?.id ?? null;
  expect(await say('/milestone %1.0')).toMatchObject({
    ...{ commands_changes: { milestone_id: first }, summary: ['Set the milestone to %"1.0".'] },
  });
  expect(await milestone()).toBe(first);
  for (const other of ['%Done', '%"Nowhere"', '']) await say(`/milestone ${other}`);
  await say('/remove_milestone', STRANGER);
  expect(await milestone()).toBe(first);
  await say('/milestone %"Second voyage"');
  expect(await milestone()).toBe(second);
  await say('/remove_milestone');
  expect(await milestone()).toBeNull();
  const opened = { id: 7, title: 'New', description: 'Soon.\n/milestone 1.0' };
  const { body } = await call(createIssue, opened, REPORTER);
  expect(body).toMatchObject({ milestone: { id: first }, description: 'Soon.' });
});
