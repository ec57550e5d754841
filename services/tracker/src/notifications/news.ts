import { GroupMemberAdded } from '@forgelog/contracts/admin/groups/group.events.ts';
import { ProjectMemberAdded } from '@forgelog/contracts/admin/members/project-member.events.ts';
import { PipelineStatusChanged } from '@forgelog/contracts/ci/pipelines/pipeline.events.ts';
import type { EventDefinition, EventOf } from '@forgelog/contracts/event.ts';
import { ReleaseCreated } from '@forgelog/contracts/repo/releases/release.events.ts';
import { DiscussionStarted, NoteAdded } from '@forgelog/contracts/tracker/discussions/discussion.events.ts';
import {
  IssueClosed,
  IssueOpened,
  IssueReopened,
  IssueUpdated,
} from '@forgelog/contracts/tracker/issues/issue.events.ts';
import {
  MergeRequestClosed,
  MergeRequestCreated,
  MergeRequestMerged,
  MergeRequestReopened,
  MergeRequestUpdated,
} from '@forgelog/contracts/tracker/merge-requests/merge-request.events.ts';
import type { CustomEvent } from '@forgelog/contracts/tracker/notification-settings/notification-levels.ts';
import { initiatorOf, type RecordedEvent } from '@forgelog/eventing/event.ts';
import { withMentions } from '../targets/mentions.ts';
import { issueRef, mergeRequestRef, type TargetRef, targetKey } from '../targets/target-ref.ts';

/** Why somebody is told, as `X-GitLab-NotificationReason` has it; null for whoever only watches. */
export type Reason = 'assigned' | 'review_requested' | 'mentioned' | 'author' | 'subscribed' | null;

/** What an event tells people, apart from who they are. */
export interface News {
  /** What mails about it have in common. */
  thread: string;
  projectId: number | null;
  groupId: number | null;
  /** The issue or merge request that it is about; null for anything else. */
  target: TargetRef | null;
  /** A comment, whose text is read when it is sent. */
  noteId: number | null;
  /** The user who did it, and is not told of it. */
  actorId: number | null;
  /** What the level `custom` chooses it by; null where only those are told whom it mentions. */
  custom: CustomEvent | null;
  /** Whether it begins the thread. */
  begins: boolean;
  says: Says;
  /** Told of it for a reason of their own. */
  named: ReadonlyMap<number, Reason>;
  /** Names that are mentioned by it, in lower case. */
  mentions: readonly string[];
  /** Labels whose subscribers are told. */
  labelIds: readonly number[];
}

/** What happened, in words that a mail is made of. */
export type Says =
  | { did: 'opened' | 'closed' | 'reopened' | 'merged' | 'mentioned' | 'commented' }
  | { did: 'assigned' | 'asked for review'; userIds: readonly number[] }
  | { did: 'failed' | 'fixed' | 'succeeded'; pipelineId: number }
  | { did: 'released'; name: string; tag: string; text: string | null }
  | { did: 'added'; accessLevel: number };

export const NEWS_EVENTS = [
  ...[IssueOpened, IssueUpdated, IssueClosed, IssueReopened],
  ...[MergeRequestCreated, MergeRequestUpdated, MergeRequestClosed, MergeRequestReopened, MergeRequestMerged],
  ...[DiscussionStarted, NoteAdded],
  ...[PipelineStatusChanged, ReleaseCreated, ProjectMemberAdded, GroupMemberAdded],
] as const satisfies readonly EventDefinition[];

const NOBODY: Pick<News, 'named' | 'mentions' | 'labelIds' | 'noteId' | 'begins' | 'groupId' | 'target'> = {
  ...{ named: new Map(), mentions: [], labelIds: [], noteId: null, begins: false },
  ...{ groupId: null, target: null },
};

type Data<D extends EventDefinition> = EventOf<D>['data'];
type Targeted = Omit<News, 'custom' | 'says'>;

/** What an event tells: nothing, or several things. Comments that the system wrote or copied are none. */
export function newsOf(event: RecordedEvent): News[] {
  const actorId = initiatorOf(event.metadata).actorId;
  switch (event.type) {
    case IssueOpened.type: {
      const data = event.data as Data<typeof IssueOpened>;
      const { authorId, assigneeIds } = data;
      const named = new Map<number, Reason>(assigneeIds.map((id) => [id, 'assigned']));
      return opened(ofIssue(data, actorId ?? authorId), data, named, 'new_issue');
    }
    case IssueUpdated.type: {
      const data = event.data as Data<typeof IssueUpdated>;
      return changes(ofIssue(data, actorId), data, 'reassign_issue');
    }
    case IssueClosed.type: {
      const data = event.data as Data<typeof IssueClosed>;
      const closed = ofIssue(data, data.closedById ?? actorId);
      return [{ ...closed, custom: 'close_issue', says: { did: 'closed' } }];
    }
    case IssueReopened.type: {
      const data = event.data as Data<typeof IssueReopened>;
      return [{ ...ofIssue(data, actorId), custom: 'reopen_issue', says: { did: 'reopened' } }];
    }
    case MergeRequestCreated.type: {
      const data = event.data as Data<typeof MergeRequestCreated>;
      const { authorId, assigneeIds, reviewerIds } = data;
      const named = new Map<number, Reason>([
        ...reviewerIds.map((id) => [id, 'review_requested'] as const),
        ...assigneeIds.map((id) => [id, 'assigned'] as const),
      ]);
      return opened(ofMergeRequest(data, actorId ?? authorId), data, named, 'new_merge_request');
    }
    case MergeRequestUpdated.type: {
      const data = event.data as Data<typeof MergeRequestUpdated>;
      return changes(ofMergeRequest(data, actorId), data, 'reassign_merge_request');
    }
    case MergeRequestClosed.type: {
      const data = event.data as Data<typeof MergeRequestClosed>;
      const closed = ofMergeRequest(data, data.closedById ?? actorId);
      return [{ ...closed, custom: 'close_merge_request', says: { did: 'closed' } }];
    }
    case MergeRequestReopened.type: {
      const data = event.data as Data<typeof MergeRequestReopened>;
      return [
        { ...ofMergeRequest(data, actorId), custom: 'reopen_merge_request', says: { did: 'reopened' } },
      ];
    }
    case MergeRequestMerged.type: {
      const data = event.data as Data<typeof MergeRequestMerged>;
      const merged = ofMergeRequest(data, data.mergedById ?? actorId);
      return [{ ...merged, custom: 'merge_merge_request', says: { did: 'merged' } }];
    }
    case DiscussionStarted.type:
    case NoteAdded.type:
      return comment(event as RecordedEvent<string, Data<typeof NoteAdded>>);
    case ReleaseCreated.type: {
      const { releaseId, projectId, name, tagName, description, userId } = event.data as Data<
        typeof ReleaseCreated
      >;
      const says: Says = { did: 'released', name, tag: tagName, text: description };
      const thread = `Release-${releaseId}`;
      return [{ ...NOBODY, thread, projectId, actorId: userId, custom: 'new_release', says }];
    }
    case ProjectMemberAdded.type:
    case GroupMemberAdded.type: {
      const { userId, accessLevel, ...place } = event.data as Data<typeof ProjectMemberAdded> & {
        groupId?: number;
      };
      const { projectId = null, groupId = null } = place as { projectId?: number; groupId?: number };
      const thread = `Member-${projectId === null ? `group-${groupId}` : `project-${projectId}`}`;
      const says: Says = { did: 'added', accessLevel };
      const named = new Map<number, Reason>([[userId, null]]);
      return [{ ...NOBODY, thread, projectId, groupId, actorId, named, custom: null, says }];
    }
    default:
      return [];
  }
}

function about(target: TargetRef, actorId: number | null): Targeted {
  return { ...NOBODY, thread: targetKey(target), projectId: target.projectId, target, actorId };
}

const ofIssue = (data: Parameters<typeof issueRef>[0], actorId: number | null) =>
  about(issueRef(data), actorId);

const ofMergeRequest = (data: Parameters<typeof mergeRequestRef>[0], actorId: number | null) =>
  about(mergeRequestRef(data), actorId);

function opened(
  on: Targeted,
  { description, labelIds }: { description: string | null; labelIds: readonly number[] },
  named: Map<number, Reason>,
  custom: CustomEvent,
): News[] {
  const mentions = withMentions([], description);
  return [{ ...on, named, labelIds, mentions, begins: true, custom, says: { did: 'opened' } }];
}

interface Changed {
  changes: { assigneeIds?: number[]; reviewerIds?: number[]; description?: string | null };
  previous: { assigneeIds?: number[]; reviewerIds?: number[]; description?: string | null } | null;
}

/** Other assignees, other reviewers, and those whom the text did not mention before. */
function changes(on: Targeted, { changes: now, previous }: Changed, reassigned: CustomEvent): News[] {
  const news: News[] = [];
  const people = (after: readonly number[], before: readonly number[] = [], reason: Reason) =>
    new Map<number, Reason>([
      ...before.map((id) => [id, null] as const),
      ...after.map((id) => [id, before.includes(id) ? null : reason] as const),
    ]);
  if (now.assigneeIds)
    news.push({
      ...on,
      custom: reassigned,
      says: { did: 'assigned', userIds: now.assigneeIds },
      named: people(now.assigneeIds, previous?.assigneeIds, 'assigned'),
    });
  if (now.reviewerIds)
    news.push({
      ...on,
      custom: 'change_reviewer_merge_request',
      says: { did: 'asked for review', userIds: now.reviewerIds },
      named: people(now.reviewerIds, previous?.reviewerIds, 'review_requested'),
    });
  const before = new Set(withMentions([], previous?.description ?? null));
  const mentions = withMentions([], now.description ?? null).filter((name) => !before.has(name));
  // What an event of before did not tell cannot be told from what is new.
  if (mentions.length > 0 && previous !== null)
    news.push({ ...on, custom: null, says: { did: 'mentioned' }, mentions });
  return news;
}

/** A comment on an issue or a merge request. Commits, snippets and epics have no threads of mail. */
function comment({ data, metadata }: RecordedEvent<string, Data<typeof NoteAdded>>): News[] {
  const { noteId, authorId, body, system, projectId, noteableId, noteableIid, noteableType: type } = data;
  if (system || metadata.credential?.kind === 'system') return [];
  if (type !== 'Issue' && type !== 'MergeRequest') return [];
  const target = { type, id: noteableId!, iid: noteableIid!, projectId: projectId! };
  const says: Says = { did: 'commented' };
  return [{ ...about(target, authorId), noteId, mentions: withMentions([], body), custom: 'new_note', says }];
}
