import { listProjectEvents } from '@forgelog/contracts/tracker/activity-events/activity-event.api.ts';
import { issueNotes } from '@forgelog/contracts/tracker/discussions/note.api.ts';
import { issueTodo, listTodos } from '@forgelog/contracts/tracker/todos/todo.api.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { memberAdded, on, projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { activityEventSlice } from '../activity-events/activity-event.slice.ts';
import { discussionSlice } from '../discussions/discussion.slice.ts';
import { issueSlice } from '../issues/issue.slice.ts';
import { issueTarget } from '../issues/issue.target.ts';
import { inIssue, issueOpened } from '../testing/issue-events.ts';
import {
  ticketDiscussions,
  ticketEvents,
  ticketNotes,
  ticketSlice,
  ticketTarget,
  ticketTimes,
  ticketTodo,
} from '../testing/ticket.target.ts';
import { timeTrackingSlice } from '../time-tracking/time-tracking.slice.ts';
import { todoSlice } from '../todos/todo.slice.ts';
import type { TargetKind } from './target.ts';

/*
 * Issues beside a second kind of target, whose id and number are those of the issue: whatever is kept for one of them
 * must not be taken for the other's.
 */

const OWNER = 1;
const REPORTER = 2;
const STRANGER = 3;
const kinds: readonly TargetKind[] = [issueTarget, ticketTarget];
const slices = [
  ...[
    issueSlice,
    ticketSlice,
    timeTrackingSlice(kinds),
    todoSlice(kinds),
    discussionSlice(kinds),
    activityEventSlice(kinds),
  ],
];
const ids = { ticketId: 71, projectId: 7, iid: 1 };
const inTicket = (type: string, data: object = {}) => on('ticket-7-1', { type, data: { ...ids, ...data } });
const given = [
  ...[OWNER, REPORTER, STRANGER].map((id) => userCreated(id)),
  projectCreated(7, { visibility: 'public' }),
  memberAdded(7, REPORTER, 20),
  inIssue(issueOpened(1)),
  inTicket('TicketOpened', { authorId: OWNER, title: 'Ticket' }),
];
const start = (...more: ReturnType<typeof inTicket>[]) =>
  startSlices(slices, [...given, ...more], { events: ticketEvents });
const onTicket = { id: 7, ticket_iid: 1 };
const onIssue = { id: 7, issue_iid: 1 };

test('discussions and notes are kept apart by kind', async () => {
  const { call } = await start();
  const started = await call(ticketDiscussions.start, { ...onTicket, body: 'Why?' }, STRANGER);
  expect(started).toMatchObject({
    status: 201,
    body: { notes: [{ noteable_type: 'MergeRequest', noteable_id: 71, noteable_iid: 1 }] },
  });
  const thread = { ...onTicket, discussion_id: started.body.id };
  expect((await call(ticketDiscussions.reply, { ...thread, body: 'So.' }, REPORTER)).status).toBe(201);
  expect((await call(ticketNotes.list, onTicket, null)).body).toHaveLength(2);
  expect((await call(issueNotes.list, onIssue, null)).body).toEqual([]);
  expect((await call(issueNotes.get, { ...onIssue, note_id: 1 }, OWNER)).status).toBe(404);
});

test('to-do items of both kinds are on one list', async () => {
  const { call, ports } = await start();
  await call(issueTodo, onIssue, STRANGER);
  expect((await call(ticketTodo, onTicket, STRANGER)).status).toBe(201);
  expect((await call(ticketTodo, onTicket, STRANGER)).status).toBe(304);
  const list = await call(listTodos, {}, STRANGER);
  expect(list.body).toMatchObject([
    { target_type: 'MergeRequest', target: { title: 'Ticket' }, body: 'Ticket' },
    { target_type: 'Issue', target: { title: 'Issue 1' } },
  ]);
  expect(list.body[0].target_url).toBe(`${ports.host}/user1/project7/-/tickets/1`);
  expect((await call(listTodos, { type: 'MergeRequest' }, STRANGER)).body).toHaveLength(1);
});

test('time is booked with the events of the kind', async () => {
  const { call } = await start();
  expect(await call(ticketTimes.addSpent, { ...onTicket, duration: '1h' }, REPORTER)).toMatchObject({
    status: 201,
    body: { total_time_spent: 3600 },
    events: [{ type: 'TicketSpentAdded', data: { ...ids, seconds: 3600 } }],
  });
  await call(ticketTimes.setEstimate, { ...onTicket, duration: '2h' }, REPORTER);
  expect((await call(ticketTimes.stats, onTicket, null)).body).toMatchObject({
    ...{ time_estimate: 7200, total_time_spent: 3600 },
  });
  expect((await call(ticketTimes.addSpent, { ...onTicket, duration: '-2h' }, REPORTER)).status).toBe(400);
});

test('the feed tells of it under its present title, and notes count on it', async () => {
  const { call } = await start();
  await call(ticketNotes.create, { ...onTicket, body: 'Why?' }, STRANGER);
  const told = await call(listProjectEvents, { project_id: 7, sort: 'asc' }, null);
  expect(told.body.slice(-3)).toMatchObject([
    { action_name: 'opened', target_type: 'Issue', target_title: 'Issue 1' },
    { action_name: 'opened', target_type: 'MergeRequest', target_id: 71, target_title: 'Ticket' },
    { action_name: 'commented on', target_type: 'Note', target_title: 'Ticket' },
  ]);
  await call(ticketTodo, onTicket, OWNER);
  expect((await call(listTodos, {}, OWNER)).body).toMatchObject([{ target: { user_notes_count: 1 } }]);
});

test('a target that turns confidential is hidden everywhere, and the issue of its number is not', async () => {
  const { call } = await start(inTicket('TicketHidden'));
  for (const endpoint of [ticketDiscussions.list, ticketNotes.list, ticketTimes.stats])
    expect((await call(endpoint, onTicket, STRANGER)).status).toBe(404);
  expect((await call(ticketTodo, onTicket, STRANGER)).status).toBe(404);
  expect((await call(ticketNotes.list, onTicket, REPORTER)).status).toBe(200);
  const types = async (caller: number) =>
    (await call(listProjectEvents, { project_id: 7 }, caller)).body.map(
      ({ target_type }: { target_type: string }) => target_type,
    );
  expect(await types(STRANGER)).not.toContain('MergeRequest');
  expect(await types(STRANGER)).toContain('Issue');
  expect(await types(REPORTER)).toContain('MergeRequest');
});

test('with a deleted target everything about it is gone, and what is about the issue stays', async () => {
  const { call, ports } = await start();
  for (const caller of [OWNER, STRANGER]) {
    await call(ticketTodo, onTicket, caller);
    await call(ticketNotes.create, { ...onTicket, body: 'x' }, caller);
    await call(issueTodo, onIssue, caller);
    await call(issueNotes.create, { ...onIssue, body: 'x' }, caller);
  }
  const deleted = inTicket('TicketDeleted').event;
  await ports.commands.append('ticket-7-1', 0, [deleted], SYSTEM_METADATA);
  expect((await call(listTodos, {}, STRANGER)).body).toMatchObject([{ target_type: 'Issue' }]);
  expect((await call(issueNotes.list, onIssue, STRANGER)).body).toHaveLength(2);
  const told = (await call(listProjectEvents, { project_id: 7 }, OWNER)).body;
  expect(told.filter(({ target_title }: { target_title: string }) => target_title === 'Ticket')).toEqual([]);
  expect(told.map(({ action_name }: { action_name: string }) => action_name)).toEqual([
    ...['commented on', 'commented on', 'opened', 'joined', 'created'],
  ]);
});
