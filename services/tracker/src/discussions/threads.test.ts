import { memberAdded, on, projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import {
  ticketDiscussions as endpoints,
  ticketEvents,
  ticketNotes,
  ticketSlice,
  ticketTarget,
} from '../testing/ticket.target.ts';
import { discussionSlice } from './discussion.slice.ts';

/* Threads of a kind of target whose threads are resolved. */

const AUTHOR = 1;
const DEVELOPER = 2;
const REPORTER = 3;
const onTicket = { id: 7, ticket_iid: 1 };
const NOW = '2030-01-10T12:00:00.000Z';

async function withThread() {
  const given = [
    ...[AUTHOR, DEVELOPER, REPORTER].map((id) => userCreated(id)),
    projectCreated(7, { visibility: 'public' }),
    memberAdded(7, DEVELOPER, 30),
    memberAdded(7, REPORTER, 20),
    on('ticket-7-1', {
      type: 'TicketOpened',
      data: { ticketId: 71, projectId: 7, iid: 1, authorId: AUTHOR, title: 'Ticket' },
    }),
  ];
  const started = await startSlices([ticketSlice, discussionSlice([ticketTarget])], given, {
    events: ticketEvents,
    clock: () => new Date(NOW),
  });
  const { call } = started;
  const { body } = await call(endpoints.start, { ...onTicket, body: 'Why?' }, REPORTER);
  const thread = { ...onTicket, discussion_id: body.id };
  const resolve = (caller: number, resolved = true) =>
    call(endpoints.resolve, { ...thread, resolved }, caller);
  return { call, thread, resolve, noteId: body.notes[0].id };
}

test('a thread is open, is resolved with all its notes, and is opened again', async () => {
  const { call, thread, resolve } = await withThread();
  await call(endpoints.reply, { ...thread, body: 'So.' }, AUTHOR);
  const open = { resolvable: true, resolved: false, resolved_by: null, resolved_at: null };
  expect((await call(endpoints.get, thread, null)).body.notes).toMatchObject([open, open]);
  const resolution = { resolvable: true, resolved: true, resolved_by: { id: DEVELOPER }, resolved_at: NOW };
  const resolved = await resolve(DEVELOPER);
  expect(resolved).toMatchObject({ status: 200, events: [{ type: 'DiscussionResolved' }] });
  expect(resolved.body.notes).toMatchObject([resolution, resolution]);
  expect((await resolve(AUTHOR)).events).toEqual([]);
  const reopened = await resolve(DEVELOPER, false);
  expect(reopened).toMatchObject({
    body: { notes: [open, open] },
    events: [{ type: 'DiscussionUnresolved' }],
  });
});

test('a reply to a resolved thread is resolved with it', async () => {
  const { call, thread, resolve } = await withThread();
  await resolve(DEVELOPER);
  const reply = await call(endpoints.reply, { ...thread, body: 'Thanks.' }, REPORTER);
  expect(reply.body).toMatchObject({ resolved: true, resolved_by: { id: DEVELOPER } });
  await resolve(DEVELOPER, false);
  expect((await call(endpoints.get, thread, null)).body.notes).toMatchObject([
    { resolved: false },
    { resolved: false },
  ]);
});

test('one of its notes resolves it; a text and a resolution exclude each other', async () => {
  const { call, thread, noteId } = await withThread();
  const note = { ...thread, note_id: noteId };
  expect((await call(endpoints.editNote, { ...note, resolved: true }, AUTHOR)).body.resolved).toBe(true);
  expect((await call(endpoints.get, thread, null)).body.notes).toMatchObject([{ resolved: true }]);
  expect((await call(endpoints.editNote, { ...note, body: 'x', resolved: true }, AUTHOR)).status).toBe(400);
  expect((await call(endpoints.editNote, note, AUTHOR)).status).toBe(400);
  expect((await call(endpoints.editNote, { ...note, body: 'x' }, REPORTER)).body.body).toBe('x');
});

test('the author of the target and developers resolve threads, nobody else does', async () => {
  const { resolve } = await withThread();
  expect((await resolve(REPORTER)).status).toBe(403);
  expect((await resolve(AUTHOR)).status).toBe(200);
  expect((await resolve(DEVELOPER, false)).status).toBe(200);
});

test('a comment alone cannot be resolved until it is answered', async () => {
  const { call } = await withThread();
  const { body } = await call(ticketNotes.create, { ...onTicket, body: 'Nice' }, REPORTER);
  expect(body).toMatchObject({ resolvable: false });
  expect(body).not.toHaveProperty('resolved');
  const list = (await call(endpoints.list, onTicket, null)).body;
  const comment = { ...onTicket, discussion_id: list[1].id };
  expect((await call(endpoints.resolve, { ...comment, resolved: true }, DEVELOPER)).status).toBe(403);
  await call(endpoints.reply, { ...comment, body: 'Is it?' }, AUTHOR);
  expect((await call(endpoints.resolve, { ...comment, resolved: true }, DEVELOPER)).body.notes).toMatchObject(
    [
      { resolvable: true, resolved: true },
      { resolvable: true, resolved: true },
    ],
  );
});
