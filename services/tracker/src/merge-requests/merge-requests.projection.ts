import { RefUpdated, type RepositoryEvent } from '@forgelog/contracts/repo/repositories/repository.events.ts';
import {
  type AwardEmojiEvent,
  awardEmojiEvents,
} from '@forgelog/contracts/tracker/award-emoji/award-emoji.events.ts';
import {
  type DiscussionEvent,
  discussionEvents,
} from '@forgelog/contracts/tracker/discussions/discussion.events.ts';
import {
  type MergeRequestEvent,
  mergeRequestEvents,
} from '@forgelog/contracts/tracker/merge-requests/merge-request.events.ts';
import {
  type SubscriptionEvent,
  subscriptionEvents,
} from '@forgelog/contracts/tracker/subscriptions/subscription.events.ts';
import { defineProjection, type Recorded } from '@forgelog/eventing/define-projection.ts';
import type { ProjectionDocuments } from '@forgelog/eventing/projection.ts';
import { and, eq } from '@forgelog/eventing/query.ts';
import { placeOf } from '@forgelog/service-kit/project-place.ts';
import { withVote } from '../award-emoji/voted.query.ts';
import { openTextOf, openThreadsAfter, withNote } from '../discussions/note-counts.ts';
import { countTasks } from '../issues/task-list.ts';
import { withSubscription } from '../subscriptions/subscribed.ts';
import { withMentions } from '../targets/mentions.ts';
import { noteableOf } from '../targets/target-ref.ts';
import { branchKey, branchTips } from './branch-tips.collection.ts';
import { closedBy, issueKeys, referencesIn } from './closing-pattern.ts';
import { isDraft } from './draft-title.ts';
import {
  isOpenFor,
  isThere,
  type MergeRequest,
  type MergeRequestDocument,
  mergeRequests,
  mergeRequestVersions,
  versionKey,
} from './merge-requests.collection.ts';
import { NO_REVIEWS, withReview, withReviewers } from './reviews.ts';

type Moved = Extract<RepositoryEvent, { type: 'RefUpdated' }>;
type Handled = MergeRequestEvent | DiscussionEvent | AwardEmojiEvent | SubscriptionEvent | Moved;
type Created = Recorded<Extract<MergeRequestEvent, { type: 'MergeRequestCreated' }>>;

const BRANCHES = 'refs/heads/';
const GONE = /^0+$/;

/** Merge requests with their versions: each state of the source branch while they were open is one. */
export const mergeRequestsProjection = defineProjection<Handled>({
  name: 'merge-requests',
  collections: [mergeRequests, mergeRequestVersions, branchTips],
  handles: [
    ...mergeRequestEvents,
    ...discussionEvents,
    ...awardEmojiEvents,
    ...subscriptionEvents,
    RefUpdated,
  ].map(({ type }) => type),
  async project(event, documents) {
    switch (event.type) {
      case 'RefUpdated':
        return moved(event, documents);
      case 'MergeRequestCreated':
        return created(event, documents);
      case 'DiscussionStarted':
      case 'NoteAdded':
      case 'NoteEdited':
      case 'NoteDeleted':
      case 'DiscussionResolved':
      case 'DiscussionUnresolved': {
        const on = noteableOf(event.data);
        if (on.type !== 'MergeRequest') return;
        const { projectId, iid } = on;
        const row = await find(documents, projectId, iid);
        if (!row) return;
        const openThreads = openThreadsAfter(row.openThreads, event);
        const text = openTextOf(event);
        const mentionedNames = withMentions(row.mentionedNames, text);
        const { mentions } = issuesIn(row.mentions, projectId, text, null);
        documents.put(mergeRequests, {
          ...reviewed(withNote(row, event) ?? row, event),
          ...{ openThreads, mentions, mentionedNames },
        });
        return;
      }
      case 'SubscriptionChosen':
      case 'SubscriptionChanged': {
        const { targetType, projectId, targetIid } = event.data;
        if (targetType !== 'MergeRequest') return;
        const row = await find(documents, projectId, targetIid);
        if (row) documents.put(mergeRequests, withSubscription(row, event));
        return;
      }
      case 'EmojiAwarded':
      case 'EmojiWithdrawn': {
        const { targetType, projectId, targetIid } = event.data;
        if (targetType !== 'MergeRequest') return;
        const row = await find(documents, projectId, targetIid);
        const voted = row && withVote(row, event);
        if (voted) documents.put(mergeRequests, voted);
        return;
      }
      default:
        return changed(event, documents);
    }
  },
});

async function find(documents: ProjectionDocuments, projectId: number, iid: number) {
  const row = await documents.get(mergeRequests, placeOf(projectId, iid)!);
  return isThere(row) ? row : undefined;
}

async function moved({ data, time }: Recorded<Moved>, documents: ProjectionDocuments): Promise<void> {
  const { projectId, ref, newOid } = data;
  if (!ref.startsWith(BRANCHES)) return;
  const branch = branchKey(projectId, ref.slice(BRANCHES.length));
  await merged(data, documents);
  // A request whose source branch is deleted keeps the commit that it had.
  if (GONE.test(newOid)) return documents.delete(branchTips, branch);
  documents.put(branchTips, { branch, projectId, sha: newOid });
  const open = and(eq('source', branch), eq('state', 'opened'));
  for (const row of await documents.findAll(mergeRequests, open))
    if (isThere(row) && row.sha !== newOid)
      await putVersion(documents, { ...row, sha: newOid, updatedAt: time }, time);
}

/** The move of a target branch tells which request it merged: the end of the merge is recorded later. */
async function merged({ projectId, merge }: Moved['data'], documents: ProjectionDocuments): Promise<void> {
  const row = merge && (await find(documents, projectId, merge.iid));
  if (!row) return;
  const { sha: mergedSha, mergeCommitSha, squashCommitSha } = merge;
  documents.put(mergeRequests, { ...row, mergedSha, mergeCommitSha, squashCommitSha });
}

async function created({ data, time }: Created, documents: ProjectionDocuments): Promise<void> {
  const { projectId, iid, sourceProjectId, sourceBranch, targetBranch, title, description } = data;
  const place = placeOf(projectId, iid)!;
  const row: MergeRequest = {
    place,
    id: data.mergeRequestId,
    ...{ projectId, iid, sourceProjectId, sourceBranch, targetBranch, title, description },
    source: branchKey(sourceProjectId, sourceBranch),
    target: branchKey(projectId, targetBranch),
    sha: data.sourceSha,
    version: 1,
    startSha: data.targetSha,
    authorId: data.authorId,
    assigneeIds: data.assigneeIds,
    ...withReviewers(NO_REVIEWS, data.reviewerIds, time),
    approvedByIds: [],
    approvedShas: [],
    participantIds: [],
    subscriberIds: [],
    unsubscriberIds: [],
    mentionedNames: withMentions([], title, description),
    labelIds: data.labelIds,
    milestoneId: data.milestoneId,
    ...issuesIn([], projectId, title, description),
    state: 'opened',
    rivalIid: null,
    draft: isDraft(title),
    discussionLocked: false,
    squash: data.squash,
    removeSourceBranch: data.removeSourceBranch,
    allowCollaboration: data.allowCollaboration,
    approvalsBeforeMerge: data.approvalsBeforeMerge,
    createdAt: data.createdAt ?? time,
    updatedAt: time,
    closedAt: null,
    closedById: null,
    mergedAt: null,
    mergedById: null,
    mergedSha: null,
    mergeCommitSha: null,
    squashCommitSha: null,
    mergeError: null,
    ...NOT_WAITING,
    ...tasks(description),
    timeEstimate: 0,
    timeSpent: 0,
    notesCount: 0,
    upvotes: 0,
    downvotes: 0,
    openThreads: 0,
  };
  const opened = await withRival(documents, row);
  documents.put(mergeRequests, opened);
  documents.put(mergeRequestVersions, versionOf(opened, time));
  await followSource(documents, opened, time);
}

/** The log tells which of two for the same branches was opened first: the other one has a rival. */
async function withRival(documents: ProjectionDocuments, row: MergeRequest): Promise<MergeRequest> {
  const open = await documents.findAll(mergeRequests, isOpenFor(row.source, row.target));
  return { ...row, rivalIid: open.find(({ place }) => place !== row.place)?.iid ?? null };
}

/** A comment of a reviewer is a review. */
function reviewed(row: MergeRequest, { type, data }: DiscussionEvent): MergeRequest {
  if ((type !== 'DiscussionStarted' && type !== 'NoteAdded') || data.system) return row;
  return withReview(row, data.authorId);
}

const NOT_WAITING = {
  autoMergeProjectId: null,
  autoMergeById: null,
  autoMergeSha: null,
  autoMergeRemovesSource: null,
};

const versionOf = ({ place, version: number, sha: headSha, startSha }: MergeRequest, createdAt: string) => ({
  key: versionKey(place, number),
  ...{ place, number, headSha, startSha, createdAt },
});

/** Stores the row with its next version, which begins at the present tip of the target. */
async function putVersion(
  documents: ProjectionDocuments,
  row: MergeRequest,
  time: string,
): Promise<MergeRequest> {
  const target = await documents.get(branchTips, row.target);
  const next = { ...row, version: row.version + 1, startSha: target?.sha ?? row.startSha };
  documents.put(mergeRequests, next);
  documents.put(mergeRequestVersions, versionOf(next, time));
  return next;
}

/** A push between the look at the branches and the event is a version of its own. */
async function followSource(documents: ProjectionDocuments, row: MergeRequest, time: string): Promise<void> {
  const source = await documents.get(branchTips, row.source);
  if (source && source.sha !== row.sha) await putVersion(documents, { ...row, sha: source.sha }, time);
}

const MOST_MENTIONS = 1_000;

/** What was named once stays named; what is closed goes by the description as it is. */
function issuesIn(
  before: readonly string[],
  projectId: number,
  title: string,
  description: string | null,
): { mentions: readonly string[]; closes: readonly string[] } {
  const named = issueKeys(referencesIn(`${title}\n${description ?? ''}`), projectId);
  const mentions = [...new Set([...before, ...named])].slice(0, MOST_MENTIONS);
  return { mentions, closes: issueKeys(closedBy(description ?? ''), projectId) };
}

function tasks(description: string | null) {
  const { count, completed } = countTasks(description);
  return { taskCount: count, tasksCompleted: completed };
}

async function changed(
  event: Recorded<Exclude<MergeRequestEvent, { type: 'MergeRequestCreated' }>>,
  documents: ProjectionDocuments,
): Promise<void> {
  const { projectId, iid } = event.data;
  const row = await find(documents, projectId, iid);
  if (!row) return;
  const { time } = event;
  const next = { ...row, updatedAt: time };
  switch (event.type) {
    case 'MergeRequestUpdated': {
      const { labels: _titles, ...changes } = event.data.changes;
      Object.assign(next, changes, { updatedAt: event.data.updatedAt ?? time });
      const { title, description } = next;
      Object.assign(next, tasks(description), issuesIn(row.mentions, projectId, title, description), {
        draft: isDraft(title),
        ...withReviewers(row, next.reviewerIds, time),
        mentionedNames: withMentions(row.mentionedNames, title, description),
        target: branchKey(projectId, next.targetBranch),
      });
      if (next.targetBranch === row.targetBranch) return documents.put(mergeRequests, next);
      const moved = { ...next, startSha: event.data.targetSha ?? row.startSha };
      await putVersion(documents, row.state === 'opened' ? await withRival(documents, moved) : moved, time);
      return;
    }
    case 'MergeRequestClosed': {
      const { closedById } = event.data;
      return documents.put(mergeRequests, { ...next, state: 'closed', closedAt: time, closedById });
    }
    case 'MergeRequestReopened': {
      const { sourceSha: sha, targetSha: startSha } = event.data;
      const reopened = { ...next, sha, state: 'opened', closedAt: null, closedById: null };
      const open = await withRival(documents, reopened);
      if (sha !== row.sha)
        return followSource(documents, await putVersion(documents, { ...open, startSha }, time), time);
      documents.put(mergeRequests, open);
      return followSource(documents, open, time);
    }
    case 'MergeRequestApproved': {
      const { userId, sha } = event.data;
      const { approvedByIds, approvedShas } = approvalsWithout(row, userId);
      const approvals = { approvedByIds: [...approvedByIds, userId], approvedShas: [...approvedShas, sha] };
      return documents.put(mergeRequests, withReview({ ...next, ...approvals }, userId));
    }
    case 'MergeRequestApprovalRevoked':
    case 'MergeRequestApprovalEnded':
      return documents.put(mergeRequests, { ...next, ...approvalsWithout(row, event.data.userId) });
    case 'MergeRequestMergeStarted':
      return documents.put(mergeRequests, { ...next, ...NOT_WAITING, state: 'locked', mergeError: null });
    case 'MergeRequestAutoMergeSet':
      return documents.put(mergeRequests, {
        ...next,
        autoMergeProjectId: row.sourceProjectId,
        autoMergeById: event.data.userId,
        autoMergeSha: event.data.sha,
        autoMergeRemovesSource: event.data.removeSourceBranch,
      });
    case 'MergeRequestAutoMergeCanceled':
      return documents.put(mergeRequests, { ...next, ...NOT_WAITING });
    case 'MergeRequestMergeFailed': {
      const open = { ...next, state: 'opened', mergeError: event.data.message };
      documents.put(mergeRequests, open);
      return followSource(documents, open, time);
    }
    case 'MergeRequestMerged': {
      const { sha, mergedById, mergeCommitSha, squashCommitSha } = event.data;
      const commits = { sha, mergedSha: sha, mergeCommitSha, squashCommitSha };
      const end = { ...NOT_WAITING, state: 'merged', mergedAt: time, mergedById, mergeError: null };
      return documents.put(mergeRequests, { ...next, ...commits, ...end, closedAt: null, closedById: null });
    }
    case 'MergeRequestTimeEstimateSet':
      return documents.put(mergeRequests, { ...next, timeEstimate: event.data.seconds });
    case 'MergeRequestTimeSpentAdded':
      return documents.put(mergeRequests, { ...next, timeSpent: row.timeSpent + event.data.seconds });
    case 'MergeRequestTimeSpentReset':
      return documents.put(mergeRequests, { ...next, timeSpent: 0 });
    case 'MergeRequestDeleted':
      await documents.deleteAll(mergeRequestVersions, eq('place', row.place));
      return documents.put(mergeRequests, emptied(row.place));
    default:
      event satisfies never;
  }
}

function approvalsWithout({ approvedByIds, approvedShas }: MergeRequest, userId: number) {
  const stays = approvedByIds.map((id) => id !== userId);
  return {
    approvedByIds: approvedByIds.filter((_, at) => stays[at]),
    approvedShas: approvedShas.filter((_, at) => stays[at]),
  };
}

/** A document of which only the key is left. */
const emptied = (place: number): MergeRequestDocument => ({ place }) as MergeRequestDocument;
