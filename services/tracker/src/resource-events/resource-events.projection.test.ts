import { ISSUE_CLOSED, type IssueEvent } from '@forgelog/contracts/tracker/issues/issue.events.ts';
import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { test } from 'vitest';
import { issueTarget } from '../issues/issue.target.ts';
import { issueDeleted, issueOpened } from '../testing/issue-events.ts';
import { resourceEventNumbering, resourceEvents } from './resource-events.collection.ts';
import { resourceEventsProjection } from './resource-events.projection.ts';

const projection = resourceEventsProjection([issueTarget]);
const opened = issueOpened(1, { labelIds: [4, 5], labels: ['a', 'b'], milestoneId: 6 });
type Updated = Extract<IssueEvent, { type: 'IssueUpdated' }>['data'];
const updated = (changes: Updated['changes'], previous: Updated['previous']): IssueEvent => ({
  type: 'IssueUpdated',
  data: { issueId: 71, projectId: 7, iid: 1, changes, previous, updatedAt: null },
});
const closed: IssueEvent = {
  type: 'IssueClosed',
  data: { issueId: 71, projectId: 7, iid: 1, closedById: 2, ...ISSUE_CLOSED },
};

test('labels and a milestone that a target begins with are added by its author', async () => {
  const about = { target: 'Issue-71', targetId: 71, projectId: 7, actorId: 1, word: 'add' };
  await givenEvents(projection, opened, issueOpened(2)).thenDocuments(resourceEvents, [
    { ...about, id: 1, kind: 'label', labelId: 4 },
    { ...about, id: 2, kind: 'label', labelId: 5 },
    { ...about, id: 3, kind: 'milestone', milestoneId: 6 },
  ]);
});

test('changes follow in the order of the log, and what did not change is not told', async () => {
  await givenEvents(
    projection,
    ...[issueOpened(1), updated({ title: 'New' }, { title: 'Old' })],
    updated({ labelIds: [5], milestoneId: 7 }, { labelIds: [4], milestoneId: null }),
    updated({ milestoneId: 8 }, { milestoneId: 7 }),
    updated({ milestoneId: null }, { milestoneId: 8 }),
    updated({ labelIds: [9], weight: 7 }, null),
    closed,
    updated({ weight: 0 }, { weight: null }),
    updated({ weight: null }, { weight: 0 }),
  ).thenDocuments(resourceEvents, [
    { id: 1, kind: 'label', word: 'add', labelId: 5 },
    { id: 2, kind: 'label', word: 'remove', labelId: 4 },
    { id: 3, kind: 'milestone', word: 'add', milestoneId: 7 },
    { id: 4, kind: 'milestone', word: 'add', milestoneId: 8 },
    { id: 5, kind: 'milestone', word: 'remove', milestoneId: 8 },
    { id: 6, kind: 'state', word: 'closed', actorId: 2 },
    { id: 7, kind: 'weight', word: 'add', weight: 0 },
    { id: 8, kind: 'weight', word: 'remove', weight: null },
  ]);
});

test('they end with their target and with its project, and their numbers do not come again', async () => {
  for (const end of [issueDeleted(1), { type: 'ProjectDeleted', data: { projectId: 7 } }]) {
    await givenEvents(projection, opened, closed, end).thenDocuments(resourceEvents, []);
    await givenEvents(projection, opened, closed, end).thenDocuments(resourceEventNumbering, [{ lastId: 4 }]);
  }
});
