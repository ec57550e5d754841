import {
  type EpicEvent as AnyEpicEvent,
  EPIC_CLOSED,
  EPIC_REOPENED,
} from '@forgelog/contracts/tracker/epics/epic.events.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { test } from 'vitest';
import { NO_WISHES } from '../labels/given-labels.rules.ts';
import { type EpicCommand, type EpicContent, epicDecider } from './epic.decider.ts';

type EpicEvent = Exclude<AnyEpicEvent, { type: 'EpicNested' }>;

const place = { groupId: 7, iid: 1 };
const epic = { epicId: 70, ...place };
const content: EpicContent = {
  ...{ title: 'Cross the ocean', description: null, confidential: false, labels: [], labelIds: [] },
  ...{ startDate: null, startDateIsFixed: false, dueDate: null, dueDateIsFixed: false },
};
const open = (more: Partial<EpicContent> = {}): EpicCommand => ({
  ...{ type: 'OpenEpic', ...epic, authorId: 5, createdAt: null },
  content: { ...content, ...more },
});
const opened = (more: Partial<EpicContent> = {}): EpicEvent => ({
  type: 'EpicOpened',
  data: { ...epic, authorId: 5, ...content, ...more, createdAt: null },
});
type Update = Extract<EpicCommand, { type: 'UpdateEpic' }>;
const update = (changes: Update['changes'], more: Partial<Update> = {}): EpicCommand => ({
  ...{ type: 'UpdateEpic', ...place, changes, labels: NO_WISHES, stateEvent: null, updatedAt: null, ...more },
});
const closed: EpicEvent = { type: 'EpicClosed', data: { ...epic, ...EPIC_CLOSED } };

test('an epic is opened once, with a title, and with days in order where they count', () => {
  given(epicDecider)
    .when(open({ title: ' Cross the ocean ' }))
    .thenEvents(opened());
  given(epicDecider, opened()).when(open()).thenRejected('conflict');
  given(epicDecider)
    .when(open({ title: ' ' }))
    .thenRejected('validation_failed', { message: { title: ["can't be blank"] } });
  const days = { startDate: '2030-02-01', dueDate: '2030-01-31' };
  given(epicDecider).when(open(days)).thenEvents(opened(days));
  const fixed = { startDateIsFixed: true, dueDateIsFixed: true };
  const refusal = { message: { due_date: ['must be greater than start date'] } };
  given(epicDecider)
    .when(open({ ...days, ...fixed }))
    .thenRejected('validation_failed', refusal);
  given(epicDecider, opened(days)).when(update(fixed)).thenRejected('validation_failed', refusal);
});

test('a change tells old and new values, and one that changes nothing is no event', () => {
  given(epicDecider, opened())
    .when(update({ title: 'Cross the ocean', confidential: undefined }))
    .thenEvents();
  const changes = { title: 'Cross the sea', confidential: true };
  const previous = { title: 'Cross the ocean', confidential: false };
  given(epicDecider, opened())
    .when(update(changes))
    .thenEvents({ type: 'EpicUpdated', data: { ...epic, changes, previous, updatedAt: null } });
  const labels = { ...NO_WISHES, add: [{ id: 4, title: 'sail' }] };
  given(epicDecider, opened())
    .when(update({}, { labels }))
    .thenEvents({
      type: 'EpicUpdated',
      data: {
        ...{ ...epic, updatedAt: null },
        ...{ changes: { labels: ['sail'], labelIds: [4] }, previous: { labels: [], labelIds: [] } },
      },
    });
});

test('an epic is closed, opened again and deleted once', () => {
  const close = update({}, { stateEvent: 'close' });
  const reopen = update({}, { stateEvent: 'reopen' });
  given(epicDecider, opened()).when(close).thenEvents(closed);
  given(epicDecider, opened(), closed).when(close).thenEvents();
  given(epicDecider, opened(), closed)
    .when(reopen)
    .thenEvents({ type: 'EpicReopened', data: { ...epic, ...EPIC_REOPENED } });
  given(epicDecider, opened()).when(reopen).thenEvents();
  const remove: EpicCommand = { type: 'DeleteEpic', ...place };
  const deleted: EpicEvent = { type: 'EpicDeleted', data: epic };
  given(epicDecider, opened()).when(remove).thenEvents(deleted);
  given(epicDecider, opened(), deleted).when(remove).thenRejected('record_not_found');
  given(epicDecider, opened(), deleted).when(open()).thenRejected('conflict');
});
