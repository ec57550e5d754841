import { Rejection } from '@forgelog/contracts/errors.ts';
import type { IssueEvent } from '@forgelog/contracts/tracker/issues/issue.events.ts';
import { expect, test } from 'vitest';
import { type IssueCommand, type IssueState, issueDecider, MAX_SECONDS } from './issue.decider.ts';

const ids = { issueId: 70, projectId: 7, iid: 3 };
const place = { projectId: 7, iid: 3 };
const content = {
  title: 'Broken',
  description: 'It is.',
  issueType: 'issue',
  confidential: false,
  labels: ['bug'],
  assigneeIds: [5],
  milestoneId: null,
  dueDate: null,
  weight: null,
} as const;
const opened: IssueEvent = {
  type: 'IssueOpened',
  data: { ...ids, authorId: 4, ...content, labels: ['bug'], assigneeIds: [5], createdAt: null },
};
const closed: IssueEvent = { type: 'IssueClosed', data: { ...ids, closedById: 4 } };
const spent = (seconds: number): IssueEvent => ({
  type: 'IssueTimeSpentAdded',
  data: { ...ids, userId: 4, seconds, summary: null },
});

const author = { userId: 4, level: 10 };
const assignee = { userId: 5, level: 0 };
const outsider = { userId: 6, level: 10 };
const reporter = { userId: 8, level: 20 };

function given(...events: IssueEvent[]) {
  const state = events.reduce<IssueState>(issueDecider.evolve, issueDecider.initialState);
  return {
    when(command: IssueCommand) {
      const decide = () => issueDecider.decide(command, state);
      return {
        gives: (...expected: IssueEvent[]) => expect(decide()).toEqual(expected),
        refuses(code: string, details?: unknown) {
          let rejection: unknown;
          try {
            decide();
          } catch (error) {
            rejection = error;
          }
          expect(rejection).toBeInstanceOf(Rejection);
          expect(rejection).toMatchObject(details === undefined ? { code } : { code, details });
        },
      };
    },
  };
}

const open = (changes: object): IssueCommand => ({
  type: 'OpenIssue',
  ...ids,
  authorId: 4,
  content: { ...content, labels: ['bug'], assigneeIds: [5], ...changes },
  createdAt: null,
});

const update = (more: Partial<Extract<IssueCommand, { type: 'UpdateIssue' }>>): IssueCommand => ({
  type: 'UpdateIssue',
  ...place,
  actor: reporter,
  changes: {},
  addLabels: [],
  removeLabels: [],
  stateEvent: null,
  updatedAt: null,
  ...more,
});

const updated = (changes: object, updatedAt: string | null = null) =>
  ({ type: 'IssueUpdated', data: { ...ids, changes, updatedAt } }) as IssueEvent;

test('an issue is opened with its title stripped', () => {
  given()
    .when(open({ title: '  Broken ' }))
    .gives(opened);
});

test('a blank title, one that is too long and a description beyond its bound are refused together', () => {
  given()
    .when(open({ title: ' ' }))
    .refuses('validation_failed', { fields: { title: ["can't be blank"] } });
  given()
    .when(open({ title: 'x'.repeat(256), description: 'd'.repeat(1_048_577), labels: ['l'.repeat(256)] }))
    .refuses('validation_failed', {
      fields: {
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
    given(...events)
      .when(update({ changes: { title: 'x' } }))
      .refuses('record_not_found');
    given(...events)
      .when({ type: 'DeleteIssue', ...place })
      .refuses('record_not_found');
    given(...events)
      .when({ type: 'SetTimeEstimate', ...place, seconds: 60 })
      .refuses('record_not_found');
  }
});

test('only what differs is in the event, and nothing follows where nothing does', () => {
  given(opened)
    .when(update({ changes: { title: 'Broken', weight: 5, labels: ['bug'], assigneeIds: [5] } }))
    .gives(updated({ weight: 5 }));
  given(opened)
    .when(update({ changes: { title: ' Broken ' } }))
    .gives();
});

test('a dated change is recorded even where nothing else is', () => {
  given(opened)
    .when(update({ updatedAt: '2026-01-01T00:00:00.000Z' }))
    .gives(updated({}, '2026-01-01T00:00:00.000Z'));
});

test('labels are added and removed one by one or set as a whole', () => {
  given(opened)
    .when(update({ addLabels: ['ui', 'bug'] }))
    .gives(updated({ labels: ['bug', 'ui'] }));
  given(opened)
    .when(update({ removeLabels: ['bug', 'none such'] }))
    .gives(updated({ labels: [] }));
  given(opened)
    .when(update({ changes: { labels: ['a', 'b', 'a'] }, removeLabels: ['b'] }))
    .gives(updated({ labels: ['a'] }));
});

test('author and assignee change the text and the state; what else they send is left aside', () => {
  for (const actor of [author, assignee]) {
    given(opened)
      .when(
        update({
          actor,
          changes: { title: 'New', labels: [], confidential: true, assigneeIds: [], discussionLocked: true },
          addLabels: ['x'],
          stateEvent: 'close',
        }),
      )
      .gives(updated({ title: 'New' }), { type: 'IssueClosed', data: { ...ids, closedById: actor.userId } });
  }
});

test('others below Reporter are refused', () => {
  given(opened)
    .when(update({ actor: outsider, changes: { title: 'New' } }))
    .refuses('forbidden');
  given(opened)
    .when(update({ actor: { userId: 6, level: 0 }, stateEvent: 'close' }))
    .refuses('forbidden');
});

test('who is no longer assigned may no longer close', () => {
  given(opened, updated({ assigneeIds: [] }))
    .when(update({ actor: assignee, stateEvent: 'close' }))
    .refuses('forbidden');
});

test('an update is held to the same bounds', () => {
  given(opened)
    .when(update({ changes: { title: '' } }))
    .refuses('validation_failed', { fields: { title: ["can't be blank"] } });
});

test('closing and reopening happen once', () => {
  given(opened)
    .when(update({ stateEvent: 'close' }))
    .gives({ type: 'IssueClosed', data: { ...ids, closedById: 8 } });
  given(opened, closed)
    .when(update({ stateEvent: 'close' }))
    .gives();
  given(opened, closed)
    .when(update({ stateEvent: 'reopen' }))
    .gives({ type: 'IssueReopened', data: ids });
  given(opened)
    .when(update({ stateEvent: 'reopen' }))
    .gives();
});

test('an estimate is set, cleared and bounded', () => {
  const estimate = (seconds: number): IssueCommand => ({ type: 'SetTimeEstimate', ...place, seconds });
  const set: IssueEvent = { type: 'IssueTimeEstimateSet', data: { ...ids, seconds: 3600 } };
  given(opened).when(estimate(3600)).gives(set);
  given(opened, set).when(estimate(3600)).gives();
  given(opened, set)
    .when(estimate(0))
    .gives({ type: 'IssueTimeEstimateSet', data: { ...ids, seconds: 0 } });
  given(opened).when(estimate(-1)).refuses('validation_failed');
  given(opened)
    .when(estimate(MAX_SECONDS + 1))
    .refuses('validation_failed');
});

test('time spent adds up, can be taken back, and never goes below nothing or beyond its bound', () => {
  const add = (seconds: number): IssueCommand => ({
    type: 'AddTimeSpent',
    ...place,
    userId: 4,
    seconds,
    summary: null,
  });
  given(opened, spent(60)).when(add(-60)).gives(spent(-60));
  given(opened, spent(60)).when(add(0)).gives();
  given(opened, spent(60))
    .when(add(-61))
    .refuses('validation_failed', {
      fields: { base: ['Time to subtract exceeds the total time spent'] },
    });
  given(opened, spent(60)).when(add(MAX_SECONDS)).refuses('validation_failed');
  given(opened, spent(60))
    .when({ type: 'ResetTimeSpent', ...place })
    .gives({ type: 'IssueTimeSpentReset', data: ids });
  given(opened, spent(60), { type: 'IssueTimeSpentReset', data: ids })
    .when(add(-1))
    .refuses('validation_failed');
  given(opened)
    .when({ type: 'ResetTimeSpent', ...place })
    .gives();
});
