import type { MilestoneEvent } from '@forgelog/contracts/tracker/milestones/milestone.events.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { Map as PersistentMap } from 'immutable';
import { test } from 'vitest';
import { type MilestoneCommand, MOST_MILESTONES, milestoneDecider, TITLE_USED } from './milestone.decider.ts';

const place = { projectId: 7, groupId: null };
const plain = { description: null, startDate: null, dueDate: null };
const created = (milestoneId: number, title: string, more = {}): MilestoneEvent => ({
  type: 'MilestoneCreated',
  data: { milestoneId, ...place, iid: milestoneId, title, ...plain, state: 'active', ...more },
});
const create = (milestoneId: number, title: string, more = {}): MilestoneCommand => ({
  ...{ type: 'CreateMilestone', milestoneId, ...place, attributes: { title, ...plain, ...more } },
});
const update = (milestoneId: number, changes = {}): MilestoneCommand => ({
  ...{ type: 'UpdateMilestone', milestoneId, ...place, changes },
});
const deleted = (milestoneId: number): MilestoneEvent => ({
  type: 'MilestoneDeleted',
  data: { milestoneId, ...place, replacedById: null },
});

test('milestones are numbered in their place, and no number comes again', () => {
  given(milestoneDecider).when(create(1, '1.0')).thenEvents(created(1, '1.0'));
  given(milestoneDecider, created(1, '1.0'), deleted(1))
    .when(create(2, '1.0'))
    .thenEvents(created(2, '1.0', { iid: 2 }));
});

test('a title is there, short and unique, and the last day is not before the first', () => {
  const refused = (fields: object) => ['validation_failed', { message: fields }] as const;
  given(milestoneDecider, created(1, '1.0'))
    .when(create(2, '1.0', { startDate: '2030-02-01', dueDate: '2030-01-31' }))
    .thenRejected(...refused({ title: [TITLE_USED], due_date: ['must be greater than start date'] }));
  given(milestoneDecider)
    .when(create(1, ' '))
    .thenRejected(...refused({ title: ["can't be blank"] }));
  given(milestoneDecider)
    .when(create(1, 'x'.repeat(256)))
    .thenRejected(...refused({ title: ['is too long (maximum is 255 characters)'] }));
  given(milestoneDecider, created(1, '1.0', { startDate: '2030-02-01' }))
    .when(update(1, { dueDate: '2030-01-31' }))
    .thenRejected(...refused({ due_date: ['must be greater than start date'] }));
});

test('a change tells old and new values, and closing is one', () => {
  given(milestoneDecider, created(1, '1.0'))
    .when(update(1, { state: 'closed', title: '1.1' }))
    .thenEvents({
      type: 'MilestoneUpdated',
      data: {
        ...{ milestoneId: 1, ...place },
        changes: { state: 'closed', title: '1.1' },
        previous: { state: 'active', title: '1.0' },
      },
    });
  given(milestoneDecider, created(1, '1.0'))
    .when(update(1, { title: '1.0' }))
    .thenEvents();
  given(milestoneDecider, created(1, '1.0'), deleted(1)).when(update(1)).thenRejected('record_not_found');
});

test(`a place has ${MOST_MILESTONES} milestones at most`, () => {
  const byId = PersistentMap(
    Array.from({ length: MOST_MILESTONES }, (_, id) => [
      id + 1,
      { title: `m${id}`, ...plain, state: 'active' as const },
    ]),
  );
  given({ ...milestoneDecider, initialState: { lastIid: MOST_MILESTONES, byId } })
    .when(create(9999, 'more'))
    .thenRejected('bad_request');
});
