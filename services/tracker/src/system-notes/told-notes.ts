import type { EventOf } from '@forgelog/contracts/event.ts';
import {
  IssueClosed,
  IssueCopied,
  IssueEpicSet,
  IssueIterationSet,
  IssueMoved,
  IssueOpened,
  IssueReopened,
  IssueTimeEstimateSet,
  IssueTimeSpentAdded,
  IssueTimeSpentReset,
  IssueUpdated,
} from '@forgelog/contracts/tracker/issues/issue.events.ts';
import {
  MergeRequestApprovalEnded,
  MergeRequestApprovalRevoked,
  MergeRequestApproved,
  MergeRequestAutoMergeCanceled,
  MergeRequestAutoMergeSet,
  MergeRequestClosed,
  MergeRequestCreated,
  MergeRequestMerged,
  MergeRequestReopened,
  MergeRequestTimeEstimateSet,
  MergeRequestTimeSpentAdded,
  MergeRequestTimeSpentReset,
  MergeRequestUpdated,
} from '@forgelog/contracts/tracker/merge-requests/merge-request.events.ts';
import { initiatorOf, type RecordedEvent } from '@forgelog/eventing/event.ts';
import { isDraft, withoutDraft } from '../merge-requests/draft-title.ts';
import { type EventRule, on } from '../targets/target.ts';
import { issueRef, mergeRequestRef, type TargetRef } from '../targets/target-ref.ts';
import { humanDuration } from '../time-tracking/duration.ts';
import { epicSource, exchanged, naming, replaced, saying, sourceKey, type ToldNote } from './told-note.ts';

/* What the log tells of a change, as notes on what was changed. */

interface ToldNotes {
  target: TargetRef;
  /** null for the system: a note has an author, so that nothing is noted then. */
  actorId: number | null;
  /** Where it is not the time of the event. */
  at: string | null;
  notes: readonly ToldNote[];
}

interface Content {
  title?: string | undefined;
  description?: string | null | undefined;
  labelIds?: readonly number[] | undefined;
  milestoneId?: number | null | undefined;
  assigneeIds?: readonly number[] | undefined;
  reviewerIds?: readonly number[] | undefined;
  dueDate?: string | null | undefined;
  weight?: number | null | undefined;
  confidential?: boolean | undefined;
  discussionLocked?: boolean | undefined;
  issueType?: string | undefined;
  targetBranch?: string | undefined;
}

const NAMES = { Issue: 'issue', MergeRequest: 'merge request' } as const;

const actorOf = ({ metadata }: RecordedEvent) => initiatorOf(metadata).actorId;

/** `2026-12-25` → `December 25, 2026` */
const { format } = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });
const day = (date: string): string => format(new Date(date));

/** @param previous null where the event is too old to tell it */
function changed(changes: Content, previous: Content | null, type: TargetRef['type']): ToldNote[] {
  const { dueDate, weight, confidential, discussionLocked, issueType, targetBranch } = changes;
  return [
    ...(type === 'MergeRequest' ? marked(changes.title, previous?.title) : []),
    ...retitled(changes.title, previous?.title, type),
    ...(changes.description === undefined ? [] : [saying('description', 'changed the description')]),
    ...exchanged('labels', changes.labelIds, previous?.labelIds),
    ...replaced(changes.milestoneId),
    ...exchanged('assignees', changes.assigneeIds, previous?.assigneeIds),
    ...exchanged('reviewers', changes.reviewerIds, previous?.reviewerIds),
    ...(dueDate === undefined
      ? []
      : [saying('dueDate', dueDate === null ? 'removed due date' : `changed due date to ${day(dueDate)}`)]),
    ...(weight === undefined
      ? []
      : [saying('weight', weight === null ? 'removed the weight' : `set weight to **${weight}**`)]),
    ...(confidential === undefined
      ? []
      : [
          saying(
            'confidential',
            confidential ? 'made the issue confidential' : 'made the issue visible to everyone',
          ),
        ]),
    ...(discussionLocked === undefined
      ? []
      : [
          saying('lock', `${discussionLocked ? 'locked' : 'unlocked'} the discussion in this ${NAMES[type]}`),
        ]),
    ...(issueType === undefined ? [] : [saying('type', `changed type to ${issueType.replace('_', ' ')}`)]),
    ...(targetBranch === undefined
      ? []
      : [
          saying(
            'branch',
            previous?.targetBranch === undefined
              ? `changed target branch to \`${targetBranch}\``
              : `changed target branch from \`${previous.targetBranch}\` to \`${targetBranch}\``,
          ),
        ]),
  ];
}

/** A merge request that became a draft, or is ready. */
function marked(after: string | undefined, before: string | undefined): ToldNote[] {
  if (after === undefined || before === undefined || isDraft(after) === isDraft(before)) return [];
  return [saying('draft', `marked this merge request as **${isDraft(after) ? 'draft' : 'ready'}**`)];
}

function retitled(
  after: string | undefined,
  before: string | undefined,
  type: TargetRef['type'],
): ToldNote[] {
  if (after === undefined) return [];
  if (before === undefined) return [saying('title', `changed title to **${after}**`)];
  // The mark of a draft has a note of its own.
  if (type === 'MergeRequest' && withoutDraft(after) === withoutDraft(before)) return [];
  return [saying('title', `changed title from **${before}** to **${after}**`)];
}

/** What it begins with. */
function begun({ labelIds, milestoneId, assigneeIds, reviewerIds, dueDate, weight }: Content): ToldNote[] {
  const given = { dueDate: dueDate ?? undefined, weight: weight ?? undefined };
  const people = { assigneeIds, reviewerIds };
  const none = { labelIds: [], assigneeIds: [], reviewerIds: [] };
  return changed({ labelIds, milestoneId: milestoneId ?? undefined, ...people, ...given }, none, 'Issue');
}

const estimated = (seconds: number) =>
  saying(
    'one',
    seconds === 0 ? 'removed time estimate' : `changed time estimate to ${humanDuration(seconds)}`,
  );

const spent = (seconds: number) =>
  saying(
    'one',
    `${seconds < 0 ? 'subtracted' : 'added'} ${humanDuration(Math.abs(seconds)) ?? '0s'} of time spent`,
  );

const SPENT_RESET = saying('one', 'removed time spent');

/** Nothing where it was set again: the new one is told. */
const ENDS_OF_WAITING: Record<string, string | null> = {
  asked: 'canceled the automatic merge',
  'set again': null,
  'source moved': 'aborted the automatic merge because the source branch was updated',
  'target changed': 'aborted the automatic merge because the target branch was changed',
  closed: 'aborted the automatic merge because the merge request was closed',
  forbidden: 'aborted the automatic merge because whoever set it may not merge',
  conflict: 'aborted the automatic merge because there were conflicts',
  'rebase needed': 'aborted the automatic merge because a rebase was needed',
  'branch gone': 'aborted the automatic merge because a branch was deleted',
};

const issue = (
  data: Parameters<typeof issueRef>[0],
  actorId: number | null,
  notes: readonly ToldNote[],
  at: string | null = null,
): ToldNotes => ({ target: issueRef(data), actorId, notes, at });

const mergeRequest = (
  data: Parameters<typeof mergeRequestRef>[0],
  actorId: number | null,
  notes: readonly ToldNote[],
  at: string | null = null,
): ToldNotes => ({ target: mergeRequestRef(data), actorId, notes, at });

/** Another place in the same epic is not worth a note. */
function putIntoEpic({ changes, epicGroupId, epicIid }: EventOf<typeof IssueEpicSet>['data']): ToldNote[] {
  if (changes.epicId === undefined) return [];
  const words = changes.epicId === null ? 'removed from epic' : 'added to epic';
  return [naming(words, epicSource(epicGroupId, epicIid), 'epic')];
}

const one = (text: string) => [saying('one', text)];

/** Each is of the stream of its target. */
export const toldNotes: readonly EventRule<ToldNotes>[] = [
  on(IssueOpened, ({ data }) => issue(data, data.authorId, begun(data), data.createdAt)),
  on(IssueUpdated, (event) => {
    const { changes, previous, updatedAt } = event.data;
    return issue(event.data, actorOf(event), changed(changes, previous, 'Issue'), updatedAt);
  }),
  on(IssueClosed, (event) => issue(event.data, event.data.closedById ?? actorOf(event), one('closed'))),
  on(IssueReopened, (event) => issue(event.data, actorOf(event), one('reopened'))),
  on(IssueCopied, (event) => {
    const { reason, originProjectId: projectId, originIid: iid } = event.data;
    const note = naming(`${reason} from`, sourceKey({ type: 'Issue', projectId, iid }));
    return issue(event.data, actorOf(event), [note]);
  }),
  on(IssueMoved, (event) => {
    const { toProjectId: projectId, toIid: iid } = event.data;
    const note = naming('moved to', sourceKey({ type: 'Issue', projectId, iid }));
    return issue(event.data, actorOf(event), [note]);
  }),
  on(IssueEpicSet, (event) => issue(event.data, actorOf(event), putIntoEpic(event.data))),
  on(IssueIterationSet, (event) =>
    issue(event.data, actorOf(event), replaced(event.data.changes.iterationId, 'iteration')),
  ),
  on(IssueTimeEstimateSet, (event) => issue(event.data, actorOf(event), [estimated(event.data.seconds)])),
  on(IssueTimeSpentAdded, (event) =>
    issue(event.data, actorOf(event) ?? event.data.userId, [spent(event.data.seconds)]),
  ),
  on(IssueTimeSpentReset, (event) => issue(event.data, actorOf(event), [SPENT_RESET])),

  on(MergeRequestCreated, ({ data }) => mergeRequest(data, data.authorId, begun(data), data.createdAt)),
  on(MergeRequestUpdated, (event) => {
    const { changes, previous, updatedAt } = event.data;
    return mergeRequest(event.data, actorOf(event), changed(changes, previous, 'MergeRequest'), updatedAt);
  }),
  on(MergeRequestClosed, (event) =>
    mergeRequest(event.data, event.data.closedById ?? actorOf(event), one('closed')),
  ),
  on(MergeRequestReopened, (event) => mergeRequest(event.data, actorOf(event), one('reopened'))),
  on(MergeRequestMerged, (event) =>
    mergeRequest(event.data, event.data.mergedById ?? actorOf(event), one('merged')),
  ),
  on(MergeRequestApproved, ({ data }) => mergeRequest(data, data.userId, one('approved this merge request'))),
  on(MergeRequestApprovalRevoked, ({ data }) =>
    mergeRequest(data, data.userId, one('unapproved this merge request')),
  ),
  on(MergeRequestApprovalEnded, ({ data }) =>
    mergeRequest(
      data,
      data.userId,
      one('no longer approves this merge request, because commits were pushed'),
    ),
  ),
  on(MergeRequestAutoMergeSet, ({ data }) =>
    mergeRequest(
      data,
      data.userId,
      one(`enabled an automatic merge when the pipeline for ${data.sha} succeeds`),
    ),
  ),
  on(MergeRequestAutoMergeCanceled, (event) => {
    const text = ENDS_OF_WAITING[event.data.reason];
    return mergeRequest(event.data, actorOf(event), text ? one(text) : []);
  }),
  on(MergeRequestTimeEstimateSet, (event) =>
    mergeRequest(event.data, actorOf(event), [estimated(event.data.seconds)]),
  ),
  on(MergeRequestTimeSpentAdded, (event) =>
    mergeRequest(event.data, actorOf(event) ?? event.data.userId, [spent(event.data.seconds)]),
  ),
  on(MergeRequestTimeSpentReset, (event) => mergeRequest(event.data, actorOf(event), [SPENT_RESET])),
];
