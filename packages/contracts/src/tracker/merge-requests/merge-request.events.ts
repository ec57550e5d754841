import { z } from 'zod';
import { defineEvent, type EventOf, privileged } from '../../event.ts';
import { personal } from '../../personal-data.ts';
import { alwaysChanged, changed } from '../../shared/changes.ts';
import { projectId } from '../../shared/event.fields.ts';
import { withFormerLabelIds, withFormerLabelIdsInChanges } from '../labels/former-label-id.ts';
import examples from './merge-request.events.examples.json' with { type: 'json' };

/** Each stream is appended as new, so that a race for a number becomes a conflict (ADR 5). */
const mergeRequest = {
  mergeRequestId: z.int().describe('Id of the merge request, unique on the instance.'),
  projectId: projectId.describe('Id of the project that it merges into.'),
  iid: z.int().describe('Number of the merge request, unique in the project that it merges into.'),
};
const subject = 'mergeRequest-<projectId>-<iid>';
const part = { version: 1, subject, service: 'tracker', audit: 'content' } as const;

const sha = z.string().regex(/^[0-9a-f]{40}$/);
const tips = {
  sourceSha: sha.describe('Commit of the source branch at that time.'),
  targetSha: sha.describe('Commit of the target branch at that time.'),
};
const squash = z.boolean().describe('Whether its commits are squashed into one when it is merged.');
const removeSourceBranch = z.boolean().describe('Whether its source branch is deleted when it is merged.');

const content = {
  title: personal(z.string().describe('The title; one that begins with `Draft:` says that it is not ready.')),
  description: personal(z.string().nullable().describe('The text, in Markdown; null if not given.')),
  targetBranch: personal(z.string().describe('Name of the branch that it merges into.')),
  labels: personal(
    z
      .array(z.string())
      .describe('Titles of its labels at that time, each once, in the order of their assignment.'),
  ),
  labelIds: z.array(z.int()).describe('Ids of its labels, in the same order.'),
  assigneeIds: z
    .array(z.int())
    .describe('Ids of the users whom it is assigned to; lists show the first one.'),
  reviewerIds: z.array(z.int()).describe('Ids of the users who are asked to review it.'),
  milestoneId: z.int().nullable().describe('Id of the milestone; null for none.'),
  squash,
  removeSourceBranch,
  allowCollaboration: z
    .boolean()
    .describe('Whether those who may merge it may push to its source branch in a fork.'),
  approvalsBeforeMerge: z
    .int()
    .nullable()
    .describe('Number of approvals that it needs; null for what its project needs.'),
};

export const MERGE_REQUEST_CLOSED = {
  changes: { state: 'closed' },
  previous: { state: 'opened' },
} as const;
export const MERGE_REQUEST_REOPENED = {
  changes: { state: 'opened' },
  previous: { state: 'closed' },
} as const;

export const MERGE_STARTED = { changes: { state: 'locked' }, previous: { state: 'opened' } } as const;
export const MERGE_FAILED = { changes: { state: 'opened' }, previous: { state: 'locked' } } as const;

const failures = [
  'no project',
  'no source',
  'no target',
  'other storage',
  'forbidden',
  'source moved',
  'already merged',
  'rebase needed',
  'rule',
  'conflict',
] as const;
/** Why it no longer waits for its pipeline. */
const endsOfWaiting = [
  'asked',
  'set again',
  'source moved',
  'target changed',
  'closed',
  'forbidden',
  'conflict',
  'rebase needed',
  'branch gone',
] as const;
const mergeId = z
  .string()
  .describe('Id of this attempt to merge; the move of the target branch has it, too.');

export const MergeRequestCreated = defineEvent({
  ...part,
  type: 'MergeRequestCreated',
  version: 2,
  description: 'A merge request was opened.',
  example: examples.MergeRequestCreated,
  activity: 'told',
  schema: z.object({
    ...mergeRequest,
    authorId: z.int().describe('Id of the author.'),
    sourceProjectId: z.int().describe('Id of the project that its source branch is in.'),
    sourceBranch: personal(z.string().describe('Name of the branch that it merges.')),
    ...tips,
    ...content,
    createdAt: z
      .string()
      .nullable()
      .describe('When it was opened, if it was set; null: the time of the event counts.'),
  }),
  upcast: { 1: withFormerLabelIds },
});

export const MergeRequestUpdated = defineEvent({
  ...part,
  type: 'MergeRequestUpdated',
  version: 2,
  description: 'Attributes of a merge request changed.',
  example: examples.MergeRequestUpdated,
  activity: 'unnamed',
  schema: z.object({
    ...mergeRequest,
    ...changed({
      ...content,
      discussionLocked: z.boolean().describe('Whether only members may comment.'),
    }),
    targetSha: sha
      .nullable()
      .describe('Commit of the new target branch at that time; null where that branch did not change.'),
    updatedAt: z
      .string()
      .nullable()
      .describe('When it changed, if an administrator or owner set it; null: the time of the event counts.'),
  }),
  upcast: { 1: withFormerLabelIdsInChanges },
});

export const MergeRequestClosed = defineEvent({
  ...part,
  type: 'MergeRequestClosed',
  description: 'A merge request was closed without being merged.',
  example: examples.MergeRequestClosed,
  activity: 'told',
  schema: z.object({
    ...mergeRequest,
    closedById: z.int().nullable().describe('Id of the user who closed it; null if the system did.'),
    ...alwaysChanged(MERGE_REQUEST_CLOSED),
  }),
});

export const MergeRequestReopened = defineEvent({
  ...part,
  type: 'MergeRequestReopened',
  description: 'A closed merge request was opened again.',
  example: examples.MergeRequestReopened,
  activity: 'told',
  schema: z.object({ ...mergeRequest, ...tips, ...alwaysChanged(MERGE_REQUEST_REOPENED) }),
});

export const MergeRequestDeleted = defineEvent({
  ...part,
  type: 'MergeRequestDeleted',
  description: 'A merge request was deleted, with its discussions.',
  example: examples.MergeRequestDeleted,
  audit: privileged('Project', 'MergeRequest'),
  activity: 'removal',
  schema: z.object(mergeRequest),
});

export const MergeRequestApproved = defineEvent({
  ...part,
  type: 'MergeRequestApproved',
  description: 'A user approved a merge request.',
  example: examples.MergeRequestApproved,
  activity: 'told',
  schema: z.object({
    ...mergeRequest,
    userId: z.int().describe('Id of the user who approved it.'),
    sha: sha.describe('Commit of the source branch that was approved.'),
  }),
});

export const MergeRequestApprovalRevoked = defineEvent({
  ...part,
  type: 'MergeRequestApprovalRevoked',
  description: 'A user took their approval of a merge request back.',
  example: examples.MergeRequestApprovalRevoked,
  activity: 'unnamed',
  schema: z.object({
    ...mergeRequest,
    userId: z.int().describe('Id of the user who no longer approves it.'),
  }),
});

export const MergeRequestApprovalEnded = defineEvent({
  ...part,
  type: 'MergeRequestApprovalEnded',
  description: 'An approval ended because commits were pushed that it is not of.',
  example: examples.MergeRequestApprovalEnded,
  activity: 'unnamed',
  schema: z.object({
    ...mergeRequest,
    userId: z.int().describe('Id of the user whose approval ended.'),
    sha: sha.describe('Commit of the source branch at that time.'),
  }),
});

export const MergeRequestMergeStarted = defineEvent({
  ...part,
  type: 'MergeRequestMergeStarted',
  description:
    'A merge began: nothing else changes the merge request until it is merged, or the merge fails.',
  example: examples.MergeRequestMergeStarted,
  activity: 'unnamed',
  schema: z.object({
    ...mergeRequest,
    mergeId,
    userId: z.int().describe('Id of the user who merges it.'),
    sha: sha.describe('Commit of the source branch that is merged.'),
    squash,
    removeSourceBranch,
    mergeMessage: personal(z.string().describe('Message of the merge commit, where there is to be one.')),
    squashMessage: personal(z.string().describe('Message of the squashed commit, where there is to be one.')),
    ...alwaysChanged(MERGE_STARTED),
  }),
});

export const MergeRequestMerged = defineEvent({
  ...part,
  type: 'MergeRequestMerged',
  description: 'A merge request was merged, or a push brought its commits into the target branch.',
  example: examples.MergeRequestMerged,
  activity: 'told',
  schema: z.object({
    ...mergeRequest,
    mergeId: mergeId.nullable().describe('Id of the attempt that merged it; null if a push did.'),
    mergedById: z.int().nullable().describe('Id of the user who merged it; null if the system did.'),
    sha: sha.describe('Commit of the source branch that was merged.'),
    mergeCommitSha: sha.nullable().describe('The merge commit; null if there is none.'),
    squashCommitSha: sha.nullable().describe('The squashed commit; null if there is none.'),
    ...changed({ state: z.enum(['opened', 'locked', 'merged']).describe('The state.') }),
  }),
});

export const MergeRequestMergeFailed = defineEvent({
  ...part,
  type: 'MergeRequestMergeFailed',
  description: 'A merge failed, and the merge request is open again.',
  example: examples.MergeRequestMergeFailed,
  activity: 'unnamed',
  schema: z.object({
    ...mergeRequest,
    mergeId,
    reason: z.enum(failures).describe('Why it failed, in a few words of the system.'),
    message: personal(z.string().describe('Why it failed, as people read it.')),
    ...alwaysChanged(MERGE_FAILED),
  }),
});

export const MergeRequestAutoMergeSet = defineEvent({
  ...part,
  type: 'MergeRequestAutoMergeSet',
  description:
    'A merge request waits for its pipeline, to be merged when that succeeds. The beginning of a merge ends this.',
  example: examples.MergeRequestAutoMergeSet,
  activity: 'unnamed',
  schema: z.object({
    ...mergeRequest,
    mergeId: z.string().describe('Id that the attempt to merge will have.'),
    userId: z.int().describe('Id of the user who set it, and with whose rights it will be merged.'),
    sha: sha.describe('Commit of the source branch that is to be merged.'),
    squash,
    removeSourceBranch,
    mergeMessage: personal(
      z.string().nullable().describe('Message of the merge commit; null for the one of its project.'),
    ),
    squashMessage: personal(
      z.string().nullable().describe('Message of the squashed commit; null for the one of its project.'),
    ),
  }),
});

export const MergeRequestAutoMergeCanceled = defineEvent({
  ...part,
  type: 'MergeRequestAutoMergeCanceled',
  description: 'A merge request no longer waits for its pipeline.',
  example: examples.MergeRequestAutoMergeCanceled,
  activity: 'unnamed',
  schema: z.object({
    ...mergeRequest,
    mergeId: z.string().describe('Id that the attempt to merge would have had.'),
    reason: z.enum(endsOfWaiting).describe('Why, in a few words of the system.'),
  }),
});

export const MergeRequestTimeEstimateSet = defineEvent({
  ...part,
  type: 'MergeRequestTimeEstimateSet',
  description: 'The time that a merge request is thought to take was set or reset.',
  example: examples.MergeRequestTimeEstimateSet,
  activity: 'unnamed',
  schema: z.object({
    ...mergeRequest,
    seconds: z.int().min(0).describe('The estimate in seconds; 0 for none.'),
    ...changed({ timeEstimate: z.int().describe('The estimate in seconds; 0 for none.') }),
  }),
});

export const MergeRequestTimeSpentAdded = defineEvent({
  ...part,
  type: 'MergeRequestTimeSpentAdded',
  description: 'Time spent on a merge request was added or taken back.',
  example: examples.MergeRequestTimeSpentAdded,
  activity: 'unnamed',
  schema: z.object({
    ...mergeRequest,
    userId: z.int().describe('Id of the user who spent it.'),
    seconds: z.int().describe('Seconds, negative to take time back; the sum is never below 0.'),
    summary: personal(z.string().nullable().describe('What the time was spent on; null if not given.')),
  }),
});

export const MergeRequestTimeSpentReset = defineEvent({
  ...part,
  type: 'MergeRequestTimeSpentReset',
  description: 'The time spent on a merge request was set to zero.',
  example: examples.MergeRequestTimeSpentReset,
  activity: 'unnamed',
  schema: z.object({
    ...mergeRequest,
    ...changed({ timeSpent: z.int().describe('The sum of the time spent, in seconds.') }),
  }),
});

export const mergeRequestEvents = [
  MergeRequestCreated,
  MergeRequestUpdated,
  MergeRequestClosed,
  MergeRequestReopened,
  MergeRequestDeleted,
  MergeRequestApproved,
  MergeRequestApprovalRevoked,
  MergeRequestApprovalEnded,
  MergeRequestMergeStarted,
  MergeRequestMerged,
  MergeRequestMergeFailed,
  MergeRequestAutoMergeSet,
  MergeRequestAutoMergeCanceled,
  MergeRequestTimeEstimateSet,
  MergeRequestTimeSpentAdded,
  MergeRequestTimeSpentReset,
] as const;
export type MergeRequestEvent = EventOf<(typeof mergeRequestEvents)[number]>;
