import {
  ISSUE_CLOSED,
  ISSUE_REOPENED,
  type IssueEvent,
} from '@forgelog/contracts/tracker/issues/issue.events.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { expect, test } from 'vitest';
import { type LabelWishes, NO_WISHES } from '../labels/given-labels.rules.ts';
import { issueOpened } from '../testing/issue-events.ts';
import { IN_NO_EPIC, type InEpic, type IssueCommand, issueDecider } from './issue.decider.ts';

const ids = { issueId: 70, projectId: 7, iid: 3 };
const place = { projectId: 7, iid: 3 };
const content = {
  title: 'Broken',
  description: 'It is.',
  issueType: 'issue',
  confidential: false,
  labels: ['bug'],
  labelIds: [1],
  assigneeIds: [5],
  milestoneId: null,
  dueDate: null,
  weight: null,
} as const;
const opened: IssueEvent = {
  type: 'IssueOpened',
  data: {
    ...ids,
    authorId: 4,
    ...content,
    labels: ['bug'],
    labelIds: [1],
    assigneeIds: [5],
    createdAt: null,
  },
};
const closed: IssueEvent = { type: 'IssueClosed', data: { ...ids, closedById: 4, ...ISSUE_CLOSED } };
const spent = (seconds: number): IssueEvent => ({
  type: 'IssueTimeSpentAdded',
  data: { ...ids, userId: 4, seconds, summary: null },
});

const author = { userId: 4, level: 10 };
const assignee = { userId: 5, level: 0 };
const outsider = { userId: 6, level: 10 };
const reporter = { userId: 8, level: 20 };

const open = (changes: object): IssueCommand => ({
  type: 'OpenIssue',
  ...ids,
  authorId: 4,
  content: { ...content, labels: ['bug'], labelIds: [1], assigneeIds: [5], ...changes },
  createdAt: null,
});

const update = (more: Partial<Extract<IssueCommand, { type: 'UpdateIssue' }>>): IssueCommand => ({
  type: 'UpdateIssue',
  ...place,
  actor: reporter,
  changes: {},
  labels: NO_WISHES,
  stateEvent: null,
  updatedAt: null,
  ...more,
});

const updated = (changes: object, previous: object, updatedAt: string | null = null) =>
  ({ type: 'IssueUpdated', data: { ...ids, changes, previous, updatedAt } }) as IssueEvent;

test('an issue is opened with its title stripped', () => {
  given(issueDecider)
    .when(open({ title: '  Broken ' }))
    .thenEvents(opened);
});

test('a blank title, one that is too long and a description beyond its bound are refused together', () => {
  given(issueDecider)
    .when(open({ title: ' ' }))
    .thenRejected('validation_failed', { message: { title: ["can't be blank"] } });
  given(issueDecider)
    .when(open({ title: 'x'.repeat(256), description: 'd'.repeat(1_048_577), labels: ['l'.repeat(256)] }))
    .thenRejected('validation_failed', {
      message: {
        title: ['is too long (maximum is 255 characters)'],
        description: ['is too long (maximum is 1048576 characters)'],
        labels: ['is too long (maximum is 255 characters)'],
      },
    });
});

test('length is counted in characters', () => {
  const title = '😀'.repeat(255);
  expect(issueDecider.decide(open({ title }), issueDecider.initialState)).toHaveLength(1);
});

test('what is absent or deleted can neither be changed nor booked on', () => {
  const deleted: IssueEvent = { type: 'IssueDeleted', data: ids };
  for (const events of [[], [opened, deleted]]) {
    given(issueDecider, ...events)
      .when(update({ changes: { title: 'x' } }))
      .thenRejected('record_not_found');
    given(issueDecider, ...events)
      .when({ type: 'DeleteIssue', ...place })
      .thenRejected('record_not_found');
    given(issueDecider, ...events)
      .when({ type: 'SetTimeEstimate', ...place, seconds: 60 })
      .thenRejected('record_not_found');
  }
});

test('only what differs is in the event, with its old value, and nothing follows where nothing does', () => {
  given(issueDecider, opened)
    .when(update({ changes: { title: 'Broken', weight: 5, assigneeIds: [5] }, labels: wish({ set: [BUG] }) }))
    .thenEvents(updated({ weight: 5 }, { weight: null }));
  given(issueDecider, opened)
    .when(update({ changes: { title: ' Broken ' } }))
    .thenEvents();
});

test('a dated change is recorded even where nothing else is', () => {
  given(issueDecider, opened)
    .when(update({ updatedAt: '2026-01-01T00:00:00.000Z' }))
    .thenEvents(updated({}, {}, '2026-01-01T00:00:00.000Z'));
});

const BUG = { id: 1, title: 'bug' };
const UI = { id: 2, title: 'ui' };
const wish = (wishes: Partial<LabelWishes>) => ({ ...NO_WISHES, ...wishes });
const had = { labels: ['bug'], labelIds: [1] };

test('labels are added and removed one by one or set as a whole', () => {
  given(issueDecider, opened)
    .when(update({ labels: wish({ add: [UI, BUG] }) }))
    .thenEvents(updated({ labels: ['bug', 'ui'], labelIds: [1, 2] }, had));
  given(issueDecider, opened)
    .when(update({ labels: wish({ remove: [1, 9] }) }))
    .thenEvents(updated({ labels: [], labelIds: [] }, had));
  given(issueDecider, opened)
    .when(update({ labels: wish({ set: [UI, BUG, UI], remove: [1] }) }))
    .thenEvents(updated({ labels: ['ui'], labelIds: [2] }, had));
});

test('author and assignee change the text and the state; what else they send is left aside', () => {
  for (const actor of [author, assignee]) {
    given(issueDecider, opened)
      .when(
        update({
          actor,
          changes: { title: 'New', confidential: true, assigneeIds: [], discussionLocked: true },
          labels: wish({ set: [], add: [UI] }),
          stateEvent: 'close',
        }),
      )
      .thenEvents(updated({ title: 'New' }, { title: 'Broken' }), {
        type: 'IssueClosed',
        data: { ...ids, closedById: actor.userId, ...ISSUE_CLOSED },
      });
  }
});

test('others below Reporter are refused', () => {
  given(issueDecider, opened)
    .when(update({ actor: outsider, changes: { title: 'New' } }))
    .thenRejected('forbidden');
  given(issueDecider, opened)
    .when(update({ actor: { userId: 6, level: 0 }, stateEvent: 'close' }))
    .thenRejected('forbidden');
});

test('who is no longer assigned may no longer close', () => {
  given(issueDecider, opened, updated({ assigneeIds: [] }, { assigneeIds: [5] }))
    .when(update({ actor: assignee, stateEvent: 'close' }))
    .thenRejected('forbidden');
});

test('an update is held to the same bounds', () => {
  given(issueDecider, opened)
    .when(update({ changes: { title: '' } }))
    .thenRejected('validation_failed', { message: { title: ["can't be blank"] } });
});

test('closing and reopening happen once', () => {
  given(issueDecider, opened)
    .when(update({ stateEvent: 'close' }))
    .thenEvents({ type: 'IssueClosed', data: { ...ids, closedById: 8, ...ISSUE_CLOSED } });
  given(issueDecider, opened, closed)
    .when(update({ stateEvent: 'close' }))
    .thenEvents();
  given(issueDecider, opened, closed)
    .when(update({ stateEvent: 'reopen' }))
    .thenEvents({ type: 'IssueReopened', data: { ...ids, ...ISSUE_REOPENED } });
  given(issueDecider, opened)
    .when(update({ stateEvent: 'reopen' }))
    .thenEvents();
});

test('time is booked with events of the issue', () => {
  const summary = null;
  given(issueDecider, opened)
    .when({ type: 'SetTimeEstimate', ...place, seconds: 3600 })
    .thenEvents({
      type: 'IssueTimeEstimateSet',
      data: { ...ids, seconds: 3600, changes: { timeEstimate: 3600 }, previous: { timeEstimate: 0 } },
    });
  given(issueDecider, opened, spent(60))
    .when({ type: 'AddTimeSpent', ...place, userId: 4, seconds: -60, summary })
    .thenEvents(spent(-60));
  given(issueDecider, opened, spent(60), spent(-60))
    .when({ type: 'AddTimeSpent', ...place, userId: 4, seconds: -1, summary })
    .thenRejected('validation_failed');
  const reset: IssueEvent = {
    type: 'IssueTimeSpentReset',
    data: { ...ids, changes: { timeSpent: 0 }, previous: { timeSpent: 60 } },
  };
  given(issueDecider, opened, spent(60))
    .when({ type: 'ResetTimeSpent', ...place })
    .thenEvents(reset);
  given(issueDecider, opened, spent(60), reset)
    .when({ type: 'ResetTimeSpent', ...place })
    .thenEvents();
});

const moveTo = (issueId: number): IssueCommand => ({
  ...{ type: 'MoveIssue', ...place, movedById: 8, to: { issueId, projectId: 8, iid: 1 } },
});
const moved: IssueEvent = {
  type: 'IssueMoved',
  data: {
    ...{ ...ids, toProjectId: 8, toIid: 1 },
    ...{ changes: { movedToId: 90 }, previous: { movedToId: null } },
  },
};

test('an issue is moved once, and closed where it is open', () => {
  const close: IssueEvent = { type: 'IssueClosed', data: { ...ids, closedById: 8, ...ISSUE_CLOSED } };
  given(issueDecider, opened).when(moveTo(90)).thenEvents(moved, close);
  given(issueDecider, opened, closed).when(moveTo(90)).thenEvents(moved);
  given(issueDecider, opened, moved, close).when(moveTo(90)).thenEvents();
  const message = 'Cannot move issue due to insufficient permissions!';
  given(issueDecider, opened, moved, close).when(moveTo(91)).thenRejected('refused', { message });
  given(issueDecider).when(moveTo(90)).thenRejected('record_not_found');
});

test('a copy begins locked where its origin is, and says what it is a copy of', () => {
  const copyOf = { issueId: 60, projectId: 6, iid: 2, reason: 'cloned', withNotes: false } as const;
  const copied: IssueEvent = {
    type: 'IssueCopied',
    data: {
      ...{ ...ids, originIssueId: 60, originProjectId: 6, originIid: 2 },
      ...{ reason: 'cloned', withNotes: false },
    },
  };
  const lock = { changes: { discussionLocked: true }, previous: { discussionLocked: false } };
  const locked: IssueEvent = { type: 'IssueUpdated', data: { ...ids, ...lock, updatedAt: null } };
  const command = { ...(open({}) as Extract<IssueCommand, { type: 'OpenIssue' }>), copyOf };
  given(issueDecider).when(command).thenEvents(opened, copied);
  given(issueDecider)
    .when({ ...command, discussionLocked: true })
    .thenEvents(opened, locked, copied);
});

test('an issue is in one epic, and is taken out only of that one', () => {
  const into = (epicId: number, epicPosition: string | null = null) => ({
    ...{ epicId, epicPosition, epicPlace: { groupId: 4, iid: epicId } },
  });
  const set = (epic: InEpic, from: number | null = null): IssueCommand => ({
    ...{ type: 'SetIssueEpic', projectId: 7, iid: 1, epic, from },
  });
  const put = (epicIid: number, changes: object, previous: object): IssueEvent => ({
    type: 'IssueEpicSet',
    data: { issueId: 71, projectId: 7, iid: 1, epicGroupId: 4, epicIid, changes, previous },
  });
  const first = put(1, { epicId: 1 }, { epicId: null });
  given(issueDecider, issueOpened(1))
    .when(set(into(1)))
    .thenEvents(first);
  given(issueDecider, issueOpened(1), first)
    .when(set(into(1)))
    .thenEvents();
  given(issueDecider, issueOpened(1)).when(set(IN_NO_EPIC)).thenEvents();
  const second = put(2, { epicId: 2 }, { epicId: 1 });
  given(issueDecider, issueOpened(1), first)
    .when(set(into(2)))
    .thenEvents(second);
  given(issueDecider, issueOpened(1), first, second)
    .when(set(IN_NO_EPIC, 1))
    .thenRejected('record_not_found');
  given(issueDecider, issueOpened(1), first, second)
    .when(set(IN_NO_EPIC, 2))
    .thenEvents(put(2, { epicId: null }, { epicId: 2 }));
  given(issueDecider, issueOpened(1), first)
    .when(set(into(1, 'k'), 1))
    .thenEvents(put(1, { epicPosition: 'k' }, { epicPosition: null }));
});
