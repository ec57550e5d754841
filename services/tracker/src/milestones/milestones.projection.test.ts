import type { MilestoneEvent } from '@forgelog/contracts/tracker/milestones/milestone.events.ts';
import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { projectDeleted } from '@forgelog/testing/sample-events.ts';
import { test } from 'vitest';
import { milestones, milestonesProjection } from './milestones.projection.ts';

const ids = { milestoneId: 1, projectId: 7, groupId: null };
const created: MilestoneEvent = {
  type: 'MilestoneCreated',
  data: { ...ids, iid: 1, title: '1.0', description: null, startDate: null, dueDate: null, state: 'active' },
};
const due: MilestoneEvent = {
  type: 'MilestoneUpdated',
  data: { ...ids, changes: { dueDate: '2030-04-01' }, previous: { dueDate: null } },
};

test('a milestone without a due date is behind those with one, and it ends with its project', async () => {
  await givenEvents(milestonesProjection, created).thenDocuments(milestones, [
    { id: 1, iid: 1, title: '1.0', dueDate: null, dueOrder: '9999-12-31', state: 'active' },
  ]);
  await givenEvents(milestonesProjection, created, due).thenDocuments(milestones, [
    { dueDate: '2030-04-01', dueOrder: '2030-04-01' },
  ]);
  await givenEvents(milestonesProjection, created, projectDeleted(7).event).thenDocuments(milestones, []);
  const deleted: MilestoneEvent = { type: 'MilestoneDeleted', data: { ...ids, replacedById: null } };
  await givenEvents(milestonesProjection, created, deleted).thenDocuments(milestones, []);
});
