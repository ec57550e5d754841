import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import type { ProjectionDocuments } from '@forgelog/eventing/projection.ts';
import { recorded } from '@forgelog/eventing/testing/projecting.ts';
import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { projectDeleted } from '@forgelog/testing/sample-events.ts';
import { expect, test } from 'vitest';
import { issueTarget } from '../issues/issue.target.ts';
import { issueDeleted, issueOpened, issueUpdated } from '../testing/issue-events.ts';
import { ticketTarget } from '../testing/ticket.target.ts';
import { keepReaders } from './target-readers.projection.ts';

const readers = keepReaders('readers_of_tests', [issueTarget, ticketTarget]);
const projection = defineProjection({
  name: 'readers-of-tests',
  collections: [readers.collection],
  handles: readers.handles as never,
  endings: readers.endings,
  project: async (event, documents) => void (await readers.project(event, documents)),
});
const ticketOpened = {
  type: 'TicketOpened',
  data: { ticketId: 71, projectId: 7, iid: 1, authorId: 3, title: 'Ticket' },
};
const of = (...events: { type: string; data: unknown }[]) => givenEvents(projection, ...events);

test('the readers of an issue and of a ticket with one id are two documents', async () => {
  await of(issueOpened(1, { assigneeIds: [2], confidential: true }), ticketOpened).thenDocuments(
    readers.collection,
    [
      { key: 'Issue-71', projectId: 7, authorId: 1, assigneeIds: [2], confidential: true },
      { key: 'MergeRequest-71', authorId: 3, assigneeIds: [], confidential: false },
    ],
  );
});

test('follow what changes them, and nothing else', async () => {
  const opened = [issueOpened(1), ticketOpened];
  const both = [{ confidential: true, assigneeIds: [4] }, { confidential: false }];
  await of(...opened, issueUpdated(1, { confidential: true, assigneeIds: [4] })).thenDocuments(
    readers.collection,
    both,
  );
  const before = await of(...opened).documents(readers.collection);
  const after = await of(...opened, issueUpdated(1, { title: 'Other' })).documents(readers.collection);
  expect(after).toEqual(before);
});

test('end with their target, of its kind alone, and with the project', async () => {
  await of(issueOpened(1), ticketOpened, issueDeleted(1)).thenDocuments(readers.collection, [
    { key: 'MergeRequest-71' },
  ]);
  await of(issueOpened(1), ticketOpened, projectDeleted(7).event).thenDocuments(readers.collection, []);
});

test('a change is told with the readers that it leaves; one of an unknown target is none', async () => {
  const documents = (known: object | undefined) =>
    ({ get: async () => known, put: () => {} }) as unknown as ProjectionDocuments;
  const hidden = recorded(1, issueUpdated(1, { confidential: true }));
  const known = { key: 'Issue-71', projectId: 7, authorId: 1, assigneeIds: [], confidential: false };
  expect(await readers.project(hidden, documents(known))).toEqual({
    target: { type: 'Issue', id: 71 },
    readers: { ...known, confidential: true },
  });
  expect(await readers.project(hidden, documents(undefined))).toBeUndefined();
  const renamed = recorded(1, issueUpdated(1, { title: 'Other' }));
  expect(await readers.project(renamed, documents(known))).toBeUndefined();
});
