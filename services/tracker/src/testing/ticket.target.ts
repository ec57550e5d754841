import { type DomainEvent, defineEvent, type EventOf } from '@forgelog/contracts/event.ts';
import { described, int, required } from '@forgelog/contracts/params.ts';
import { projectId } from '@forgelog/contracts/shared/common.params.ts';
import {
  discussionEndpoints,
  threadEndpoints,
} from '@forgelog/contracts/tracker/discussions/discussion.api.ts';
import {
  type DiscussionEvent,
  discussionEvents,
} from '@forgelog/contracts/tracker/discussions/discussion.events.ts';
import { noteEndpoints } from '@forgelog/contracts/tracker/discussions/note.api.ts';
import type { TargetContract } from '@forgelog/contracts/tracker/targets/target.ts';
import { timeTrackingEndpoints } from '@forgelog/contracts/tracker/time-tracking/time-tracking.api.ts';
import { todoEndpoint } from '@forgelog/contracts/tracker/todos/todo.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { oneOf } from '@forgelog/eventing/query.ts';
import { placeOf } from '@forgelog/service-kit/project-place.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { z } from 'zod';
import { withNote } from '../discussions/note-counts.ts';
import { issueJson } from '../issues/issue.view.ts';
import { type Issue, issues } from '../issues/issues.collection.ts';
import { readsConfidential } from '../targets/target.access.ts';
import { type DiffCommits, ending, on, type Target, type TargetKind } from '../targets/target.ts';
import { noteableOf, type TargetRef, targetKey } from '../targets/target-ref.ts';
import { type TimeCommand, type Times, timeBooking } from '../time-tracking/time-tracking.decider.ts';

/*
 * A second kind of target, for tests: whatever is built for targets must work for it as it is. It goes by the name of a
 * merge request, because events may name nothing else besides issues.
 */

const ids = { ticketId: z.int(), projectId: z.int(), iid: z.int() };
const event = <Type extends string, S extends z.ZodRawShape>(type: Type, shape: S) =>
  defineEvent({
    ...{ description: 'Something happened to a ticket.', subject: 'ticket-<projectId>-<iid>' },
    ...{ type, version: 1, service: 'tracker', audit: 'content', activity: 'told' },
    schema: z.object({ ...ids, ...shape }),
  });

const TicketOpened = event('TicketOpened', { authorId: z.int(), title: z.string() });
const TicketHidden = event('TicketHidden', {});
const TicketDeleted = event('TicketDeleted', {});
const TicketEstimateSet = event('TicketEstimateSet', { seconds: z.int() });
const TicketSpentAdded = event('TicketSpentAdded', {
  ...{ userId: z.int(), seconds: z.int(), summary: z.string().nullable() },
});
const TicketSpentReset = event('TicketSpentReset', {});
export const ticketEvents = [
  ...[TicketOpened, TicketHidden, TicketDeleted],
  ...[TicketEstimateSet, TicketSpentAdded, TicketSpentReset],
] as const;
type TicketEvent = EventOf<(typeof ticketEvents)[number]>;

const contract: TargetContract = {
  type: 'MergeRequest',
  id: 'ticket',
  name: 'a ticket',
  path: '/projects/:id/tickets/:ticket_iid',
  params: { id: projectId, ...{ ticket_iid: described(required(int()), 'Number of the ticket') } },
  feature: 'merge_requests',
  signedIn: false,
};
const type = contract.type;
const spec = 'companions 2.7';
export const ticketDiscussions = {
  ...discussionEndpoints(contract, {
    ...{ list: spec, get: spec, start: spec, reply: spec, getNote: spec, editNote: spec, deleteNote: spec },
  }),
  ...threadEndpoints(contract, { start: spec, resolve: spec, editNote: spec }),
};
export const ticketNotes = noteEndpoints(contract, {
  ...{ list: spec, create: spec, get: spec, edit: spec, delete: spec },
});
export const ticketTodo = todoEndpoint(contract, spec);
export const ticketTimes = timeTrackingEndpoints(contract, {
  ...{ setEstimate: spec, resetEstimate: spec, addSpent: spec, resetSpent: spec, stats: spec },
});

/** A ticket has the columns of an issue, and to-do items show it as one. */
const tickets: typeof issues = { ...issues, name: 'tickets', ownedBy: [] };

const ticketsProjection = defineProjection<TicketEvent | DiscussionEvent>({
  name: 'tickets',
  collections: [tickets],
  handles: [...ticketEvents, ...discussionEvents].map(({ type }) => type),
  async project(event, documents) {
    if ('discussionId' in event.data) {
      const on = noteableOf(event.data);
      if (on.type !== type) return;
      const place = placeOf(on.projectId, on.iid)!;
      const row = (await documents.get(tickets, place)) as Issue | undefined;
      const noted = row && withNote(row, event as Parameters<typeof withNote>[1]);
      return noted && documents.put(tickets, noted);
    }
    const { projectId } = event.data;
    const place = placeOf(projectId, event.data.iid)!;
    const row = await documents.get(tickets, place);
    if (event.type === 'TicketOpened') {
      const { ticketId: id, iid, authorId, title } = event.data;
      const none = Object.fromEntries(Object.keys(tickets.fields).map((field) => [field, null]));
      return documents.put(tickets, {
        ...(none as unknown as Issue),
        ...{ place, id, projectId, iid, authorId, title, state: 'opened', issueType: 'issue' },
        ...{ confidential: false, discussionLocked: false, createdAt: event.time, updatedAt: event.time },
        ...{
          assigneeIds: [],
          participantIds: [],
          mentionedNames: [],
          labelIds: [],
          taskCount: 0,
          tasksCompleted: 0,
        },
        ...{ timeEstimate: 0, timeSpent: 0, notesCount: 0, upvotes: 0, downvotes: 0 },
      });
    }
    if (event.type === 'TicketDeleted') return documents.delete(tickets, place);
    if (event.type === 'TicketHidden') return documents.put(tickets, { ...row!, confidential: true });
    documents.put(tickets, { ...row!, ...timesAfter(row as Times, event as TicketEvent) });
  },
});

export const ticketSlice = defineSlice<ServicePorts>({ projections: [ticketsProjection] });

const book = timeBooking({
  ...{ estimateSet: 'TicketEstimateSet', spentAdded: 'TicketSpentAdded', spentReset: 'TicketSpentReset' },
});

function timesAfter({ timeEstimate, timeSpent }: Times, { type, data }: DomainEvent): Times {
  const { seconds } = data as { seconds: number };
  if (type === 'TicketEstimateSet') return { timeEstimate: seconds, timeSpent };
  if (type === 'TicketSpentAdded') return { timeEstimate, timeSpent: timeSpent + seconds };
  return type === 'TicketSpentReset' ? { timeEstimate, timeSpent: 0 } : { timeEstimate, timeSpent };
}

type State = Times & { ticketId: number };
const ticketDecider: Decider<State, TimeCommand & { ref: TargetRef }, DomainEvent> = {
  initialState: { ticketId: 0, timeEstimate: 0, timeSpent: 0 },
  decide: ({ ref: { id: ticketId, projectId, iid }, ...command }, state) =>
    book(command, state, { ticketId, projectId, iid }),
  evolve: (state, event) => ({ ...state, ...timesAfter(state, event) }),
};

const refOf = ({ ticketId: id, projectId, iid }: { ticketId: number; projectId: number; iid: number }) => ({
  ...{ type, id, projectId, iid },
});

/** The newest diff of every ticket; tests set it. */
export const ticketDiff: { newest: DiffCommits | undefined } = { newest: undefined };

export const ticketTarget: TargetKind<Target & Times> = {
  contract,
  discussions: ticketDiscussions,
  threads: {
    endpoint: ticketDiscussions.resolve,
    diffOf: async () => ticketDiff.newest,
    suggestionProblem: async () => null,
  },
  notes: ticketNotes,
  async find({ readStore }, { params, project: { project, level }, principal }) {
    const row = (await readStore.get(tickets, placeOf(project.id, params.ticket_iid as number)!)) as
      | Issue
      | undefined;
    if (!row || (row.confidential && !readsConfidential(row, level, principal))) return undefined;
    const { id, projectId, iid, title, authorId, confidential, timeEstimate, timeSpent } = row;
    return {
      ...{ type, id, projectId, iid, key: targetKey({ type, id }), title, level, discussionLocked: false },
      ...{ authorId, assigneeIds: [], confidential, timeEstimate, timeSpent },
    };
  },
  async titles({ readStore }, refs) {
    const where = oneOf(
      'place',
      refs.map(({ projectId, iid }) => placeOf(projectId, iid)!),
    );
    const rows = await readStore.find(tickets, { where, limit: refs.length });
    return new Map(rows.map(({ id, title }) => [targetKey({ type, id: id! }), title!]));
  },
  events: {
    opened: [
      on(TicketOpened, ({ data: { ticketId: id, projectId, authorId } }) => ({
        ...{ id, projectId, authorId, assigneeIds: [], confidential: false },
      })),
    ],
    readersChanged: [on(TicketHidden, ({ data: { ticketId: id } }) => ({ id, confidential: true }))],
    deleted: [ending(TicketDeleted, ({ ticketId }) => ticketId)],
    activities: [
      on(TicketOpened, ({ data }) => ({
        ...{ action: 'created', actionName: 'opened', authorId: data.authorId, target: refOf(data) },
      })),
    ],
  },
  todos: {
    endpoint: ticketTodo,
    webPath: (iid) => `/-/tickets/${iid}`,
    async show(ports, refs) {
      const where = oneOf(
        'place',
        refs.map(({ projectId, iid }) => placeOf(projectId, iid)!),
      );
      const rows = await ports.readStore.find(tickets, { where, limit: refs.length });
      const view = issueJson.renderer(ports);
      const labels = { byId: new Map(), detailed: false };
      const request = {
        across: true,
        labels,
        closers: new Map(),
        moves: new Set<number>(),
        epics: new Map(),
        iterations: new Map(),
      };
      return new Map(rows.map((row) => [targetKey({ type, id: row.id! }), view.one(row, request)]));
    },
  },
  timeTracking: {
    endpoints: ticketTimes,
    timesOf: (ticket) => ticket,
    book: ({ commands }, { projectId, id, iid }, command, metadata) =>
      commands.handle(
        ticketDecider,
        `ticket-${projectId}-${iid}`,
        { ...command, ref: { type, projectId, id, iid } },
        metadata,
      ),
  },
};
