import { EPIC_CLOSED, type EpicEvent } from '@forgelog/contracts/tracker/epics/epic.events.ts';
import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { test } from 'vitest';
import { noteStarted } from '../testing/note-events.ts';
import { epics, epicsProjection } from './epics.projection.ts';

const epic = { epicId: 70, groupId: 7, iid: 1 };
const opened: EpicEvent = {
  type: 'EpicOpened',
  data: {
    ...{ ...epic, authorId: 5, title: 'Cross the ocean', description: null, confidential: false },
    ...{ labels: ['sail'], labelIds: [4], createdAt: null },
    ...{ startDate: null, startDateIsFixed: false, dueDate: null, dueDateIsFixed: false },
  },
};
const onEpic = { projectId: null, groupId: 7, noteableType: 'Epic', noteableId: 70 } as const;

test('an epic has its labels by id, counts what is said of it, and ends with its group', async () => {
  const updated: EpicEvent = {
    type: 'EpicUpdated',
    data: { ...epic, changes: { title: 'Cross the sea' }, previous: null, updatedAt: '2030-01-01T00:00:00Z' },
  };
  const closed: EpicEvent = { type: 'EpicClosed', data: { ...epic, ...EPIC_CLOSED } };
  await givenEvents(epicsProjection, opened, updated).thenDocuments(epics, [
    { id: 70, iid: 1, title: 'Cross the sea', labelIds: [4], state: 'opened', notesCount: 0 },
  ]);
  await givenEvents(epicsProjection, opened, closed).thenDocuments(epics, [{ state: 'closed' }]);
  await givenEvents(epicsProjection, opened, noteStarted(1), noteStarted(2, onEpic)).thenDocuments(epics, [
    { notesCount: 1, participantIds: [1] },
  ]);
  const ended = { type: 'GroupDeleted', data: { groupId: 7 } };
  await givenEvents(epicsProjection, opened, ended).thenDocuments(epics, []);
  const deleted: EpicEvent = { type: 'EpicDeleted', data: epic };
  await givenEvents(epicsProjection, opened, deleted).thenDocuments(epics, []);
});
