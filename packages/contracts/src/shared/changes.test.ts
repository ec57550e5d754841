import { expect, test } from 'vitest';
import { z } from 'zod';
import { ACCESS_LOG, type EventDefinition } from '../event.ts';
import { events } from '../events.ts';
import { personalData } from '../personal-data.ts';

/** Verbs of events after which a thing exists that did not, or exists no more: such an event has no old values. */
const BEGINS = [
  'Created',
  'Begun',
  'MoveScheduled',
  'MovesRequested',
  'Added',
  'Opened',
  'Started',
  'Starred',
  'Claimed',
  'Registered',
  'EnabledForProject',
  'Approved',
  'AutoMergeSet',
  'Awarded',
  'Chosen',
  'Subscribed',
  'Published',
  'Followed',
  'Granted',
];
const ENDS = [
  'Deleted',
  'Ended',
  'Removed',
  'Revoked',
  'Unstarred',
  'Released',
  'Forfeited',
  'Abandoned',
  'Withdrawn',
  'Unsubscribed',
  'Unfollowed',
  'AutoMergeCanceled',
  'DisabledForProject',
];
/** A ref moves from `oldOid` to `newOid`; origins, measurements, reservations, resets, uses, mails and where hooks stand are facts of their own. */
const OTHERWISE = [
  'IssueCopied',
  'RefUpdated',
  'SnippetFilesCommitted',
  'WikiPageTextCommitted',
  'GroupWikiPageTextCommitted',
  'WikiCommitPushed',
  'GroupWikiCommitPushed',
  'PushReceived',
  'RepositoryForked',
  'RepositoryMeasured',
  'IdsReserved',
  'RunnersTokenReset',
  'FeatureFlagsClientReset',
  'PersonalAccessTokensUsed',
  'OauthTokensIssued',
  'WebHookRewound',
  'WebHookFellBehind',
  'WebHookCaughtUp',
  'WebHookDelivered',
  'NotificationMailHandled',
  'IntegrationMessageHandled',
];

const shapeOf = ({ schema }: EventDefinition) => (schema as z.ZodObject).shape as Record<string, z.ZodType>;
const fieldsOf = (schema: z.ZodType | undefined): string[] => {
  if (schema instanceof z.ZodNullable) return fieldsOf(schema.unwrap() as z.ZodType);
  return schema instanceof z.ZodObject ? Object.keys(schema.shape).sort() : [];
};
/** What the access log counts changes nothing. */
const isOfLog = ({ service }: EventDefinition) => service !== ACCESS_LOG;

const updates = events.filter((event) => 'changes' in shapeOf(event));

test('an event that neither begins nor ends something tells what it changes', () => {
  const silent = events
    .filter(isOfLog)
    .filter(
      (event) =>
        ![...BEGINS, ...ENDS].some((verb) => event.type.endsWith(verb)) &&
        !OTHERWISE.includes(event.type) &&
        !updates.includes(event),
    );
  expect(
    silent.map(({ type }) => type),
    'give it `...changed(fields)` or `...alwaysChanged(values)`; a new verb goes into a list above',
  ).toEqual([]);
  expect(updates.length).toBeGreaterThan(15);
});

test.each(updates.map((event) => [event.type, event] as const))(
  '%s tells the old value of every field that it changes and publishes',
  (_, event) => {
    const { changes, previous } = shapeOf(event);
    const told = fieldsOf(changes).filter((field) => !event.withheld.includes(field));
    expect(told.length).toBeGreaterThan(0);
    expect(fieldsOf(previous)).toEqual(told);
    if (event.type in OLD) expect(event.version).toBeGreaterThan(1);
    const named = personalData(event).filter((path) => path.startsWith('changes.'));
    expect(personalData(event)).toEqual(
      expect.arrayContaining(named.map((path) => path.replace('changes', 'previous'))),
    );
  },
);

/** Data of version 1, as logs have it. */
const OLD: Readonly<Record<string, object>> = {
  UserUpdated: { userId: 2, changes: { name: 'Ada', passwordHash: '$argon2id$x' } },
  UserBlocked: { userId: 2 },
  UserUnblocked: { userId: 2 },
  GroupUpdated: { groupId: 5, changes: { settings: { lfs_enabled: false } } },
  GroupMemberChanged: { groupId: 5, userId: 2, accessLevel: 40, previousAccessLevel: 30, expiresAt: null },
  ProjectMemberChanged: {
    projectId: 7,
    userId: 2,
    accessLevel: 40,
    previousAccessLevel: 30,
    expiresAt: null,
  },
  ProjectUpdated: { projectId: 7, changes: { settings: { merge_method: 'ff', topics: ['a'] } } },
  ProjectArchived: { projectId: 7 },
  ProjectUnarchived: { projectId: 7 },
  NoteEdited: {
    discussionId: 'a'.repeat(40),
    ...{ projectId: 7, noteableType: 'Issue', noteableId: 70, noteableIid: 3, noteId: 9 },
    changes: { body: 'new' },
  },
  IssueUpdated: { issueId: 70, projectId: 7, iid: 3, changes: { weight: 3 }, updatedAt: null },
  IssueClosed: { issueId: 70, projectId: 7, iid: 3, closedById: 4 },
  IssueReopened: { issueId: 70, projectId: 7, iid: 3 },
  IssueTimeEstimateSet: { issueId: 70, projectId: 7, iid: 3, seconds: 60 },
  IssueTimeSpentReset: { issueId: 70, projectId: 7, iid: 3 },
  TodoDone: { todoId: 1, userId: 2 },
  EnvironmentUpdated: { environmentId: 1, projectId: 7, changes: { name: 'qa' } },
  EnvironmentStopped: { environmentId: 1, projectId: 7 },
  EnvironmentDeletionScheduled: { environmentId: 1, projectId: 7, dueAt: '2026-01-08T00:00:00.000Z' },
  FreezePeriodUpdated: { freezePeriodId: 3, projectId: 7, changes: { cronTimezone: 'UTC' } },
};

test('version 1 of an update reads as the newest, with an old value where there can be only one', () => {
  const read = Object.entries(OLD).map(([type, data]) => {
    const { upcast, schema } = events.find((event) => event.type === type)!;
    const steps = Object.keys(upcast)
      .map(Number)
      .toSorted((a, b) => a - b);
    const newest = steps.reduce((before, version) => upcast[version]!(before), data as unknown);
    const { changes, previous, ...rest } = schema.parse(newest) as {
      changes: object;
      previous: object | null;
    };
    const { changes: told = changes, ...before } = data as { changes?: object };
    expect({ changes, ...rest }).toMatchObject({ changes: told, ...before });
    return [type, previous];
  });
  expect(Object.fromEntries(read.filter(([, previous]) => previous !== null))).toEqual({
    UserBlocked: { state: 'active' },
    UserUnblocked: { state: 'blocked' },
    ProjectArchived: { archived: false },
    ProjectUnarchived: { archived: true },
    IssueClosed: { state: 'opened' },
    IssueReopened: { state: 'closed' },
    TodoDone: { state: 'pending' },
    EnvironmentStopped: { state: 'available' },
    EnvironmentDeletionScheduled: { deletionDueAt: null },
  });
});

test('a changed password is named in an old event too', () => {
  const { upcast, schema } = events.find(({ type }) => type === 'UserUpdated')!;
  expect(schema.parse(upcast[1]!(OLD.UserUpdated))).toMatchObject({ withheldChanges: ['password'] });
});
