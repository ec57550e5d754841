import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { mergeRequestLifetime } from '@forgelog/contracts/tracker/merge-requests/merge-request.lifetime.ts';
import { and, type Condition, eq, not, oneOf, range } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';
import { placesOf } from '@forgelog/service-kit/project-place.ts';

/** Merge requests as they are read. A deleted one leaves its key behind with nothing in it. */
export const mergeRequests = defineCollection({
  name: 'merge_requests',
  key: 'place',
  fields: {
    /** `placeOf` target project and number. */
    place: 'integer',
    id: 'integer?',
    /** The project that it merges into. */
    projectId: 'integer?',
    iid: 'integer?',
    sourceProjectId: 'integer?',
    sourceBranch: 'text?',
    targetBranch: 'text?',
    /** `branchKey` of both. */
    source: 'text?',
    target: 'text?',
    /** The newest commit of the source branch while it was open. */
    sha: 'text?',
    /** Number of its newest version, and the target's commit at that time. */
    version: 'integer?',
    startSha: 'text?',
    authorId: 'integer?',
    assigneeIds: 'integer[]?',
    reviewerIds: 'integer[]?',
    /** When each reviewer was asked, in their order, and those who have commented or approved since. */
    reviewersSince: 'text[]?',
    reviewedByIds: 'integer[]?',
    approvedByIds: 'integer[]?',
    /** The commits that they approved, in the same order. */
    approvedShas: 'text[]?',
    /** Users who wrote a comment. */
    participantIds: 'integer[]?',
    /** Usernames that its texts have ever mentioned, in lower case. */
    mentionedNames: 'text[]?',
    /** Users who chose to be told of what happens to it, and those who chose not to be. */
    subscriberIds: 'integer[]?',
    unsubscriberIds: 'integer[]?',
    labelIds: 'integer[]?',
    milestoneId: 'integer?',
    /** `issueKey` of the issues that its texts have ever named, and of those that its description closes. */
    mentions: 'text[]?',
    closes: 'text[]?',
    state: 'text?',
    /** The number of another one that was open for these branches before, when this one became so; null for none (ADR 57). */
    rivalIid: 'integer?',
    draft: 'boolean?',
    discussionLocked: 'boolean?',
    squash: 'boolean?',
    removeSourceBranch: 'boolean?',
    allowCollaboration: 'boolean?',
    approvalsBeforeMerge: 'integer?',
    title: 'text?',
    description: 'text?',
    createdAt: 'text?',
    updatedAt: 'text?',
    closedAt: 'text?',
    closedById: 'integer?',
    mergedAt: 'text?',
    mergedById: 'integer?',
    /** The commit of the source that the target branch has got by a merge of this request. */
    mergedSha: 'text?',
    mergeCommitSha: 'text?',
    squashCommitSha: 'text?',
    mergeError: 'text?',
    /** The source project while it waits for its pipeline, else null; by whom, for which commit, and how it will end. */
    autoMergeProjectId: 'integer?',
    autoMergeById: 'integer?',
    autoMergeSha: 'text?',
    autoMergeRemovesSource: 'boolean?',
    /** Seconds. */
    timeEstimate: 'integer?',
    timeSpent: 'integer?',
    /** Comments, without what the system notes. */
    notesCount: 'integer?',
    upvotes: 'integer?',
    downvotes: 'integer?',
    /** Threads that wait for their resolution. */
    openThreads: 'integer?',
    /** Items of the task lists in the description. */
    taskCount: 'integer?',
    tasksCompleted: 'integer?',
  },
  indexes: [
    ['projectId', 'createdAt'],
    ['projectId', 'state', 'createdAt'],
    ['projectId', 'updatedAt'],
    ['createdAt'],
    ['updatedAt'],
    ['authorId', 'createdAt'],
    ['source', 'state'],
    ['target', 'state'],
    ['assigneeIds'],
    ['reviewerIds'],
    ['labelIds'],
    ['milestoneId'],
    ['mentions'],
    ['closes'],
    ['autoMergeProjectId'],
  ],
  search: ['title', 'description'],
  words: ['title', 'description'],
  holds: { lifetime: mergeRequestLifetime, where: not(eq('id', null)) },
  ownedBy: [endsWith(ProjectDeleted, ({ projectId }) => range('place', placesOf(projectId)))],
});

/** The states of the source branch that were there to be reviewed, numbered from 1. */
export const mergeRequestVersions = defineCollection({
  name: 'merge_request_versions',
  key: 'key',
  fields: {
    /** `versionKey` */
    key: 'text',
    place: 'integer',
    number: 'integer',
    headSha: 'text',
    /** The target's commit at that time. */
    startSha: 'text',
    createdAt: 'text',
  },
  indexes: [['place', 'number']],
  ownedBy: [endsWith(ProjectDeleted, ({ projectId }) => range('place', placesOf(projectId)))],
});

export const versionKey = (place: number, number: number): string => `${place}-${number}`;

/** A merge request, or the key that a deleted one left behind. */
export type MergeRequestDocument = DocumentOf<typeof mergeRequests>;

type MayBeNull =
  | 'description'
  | 'milestoneId'
  | 'rivalIid'
  | 'approvalsBeforeMerge'
  | 'closedAt'
  | 'closedById'
  | 'mergedAt'
  | 'mergedById'
  | 'mergedSha'
  | 'mergeCommitSha'
  | 'squashCommitSha'
  | 'mergeError'
  | 'autoMergeProjectId'
  | 'autoMergeById'
  | 'autoMergeSha'
  | 'autoMergeRemovesSource';

export type MergeRequest = {
  [F in keyof MergeRequestDocument]: F extends MayBeNull
    ? MergeRequestDocument[F]
    : NonNullable<MergeRequestDocument[F]>;
};

/** Open, or being merged, for two branches given by `branchKey`. */
export const isOpenFor = (source: string, target: string): Condition =>
  and(eq('source', source), oneOf('state', ['opened', 'locked']), eq('target', target));

export const isThere = (row: Readonly<MergeRequestDocument> | undefined): row is MergeRequest =>
  row !== undefined && row.projectId !== null;
