import type { ProjectMemberEvent } from '@forgelog/contracts/admin/members/project-member.events.ts';
import type { ProjectEvent } from '@forgelog/contracts/repo/projects/project.events.ts';
import type { RepositoryEvent } from '@forgelog/contracts/repo/repositories/repository.events.ts';
import type { activityActions } from '@forgelog/contracts/tracker/activity-events/activity-event.api.ts';
import type { DiscussionEvent } from '@forgelog/contracts/tracker/discussions/discussion.events.ts';
import type { IssueEvent } from '@forgelog/contracts/tracker/issues/issue.events.ts';
import type { Recorded } from '@forgelog/eventing/define-projection.ts';
import { type PushData, pushDataOf } from './push-data.ts';
import { type NoteableSubject, subjectOf } from './subject.ts';

/** What of an event of the log becomes an activity event [L133, L492]. */
export interface Activity {
  /** Word of the filter. */
  action: (typeof activityActions)[number];
  /** Word for display: the filter's `created` reads `opened` for an issue, `pushed` reads `pushed new`. */
  actionName: string;
  /** Who did it; null for the system, whose doings are no activity. */
  authorId: number | null;
  projectId: number;
  /** Part of the project that must be open to whoever reads it. */
  area: 'project' | 'repository' | 'issues' | 'merge_requests';
  target: { type: 'Issue' | 'MergeRequest' | 'Note' | 'Project' | 'User'; id: number; iid: number } | null;
  /** The issue or merge request that it is about, by which confidentiality goes. */
  subject: NoteableSubject | null;
  note: { id: number; confidential: boolean } | null;
  push: PushData | null;
}

type Mapped =
  | Extract<ProjectEvent, { type: 'ProjectCreated' }>
  | Extract<ProjectMemberEvent, { type: 'ProjectMemberAdded' | 'ProjectMemberRemoved' }>
  | Extract<RepositoryEvent, { type: 'RefUpdated' }>
  | Extract<IssueEvent, { type: 'IssueOpened' | 'IssueClosed' | 'IssueReopened' }>
  | Extract<DiscussionEvent, { type: 'DiscussionStarted' | 'NoteAdded' }>;

/** What is told of each event whose contract says `told`. null: nothing is told of this one. */
export const activities: {
  [Type in Mapped['type']]: (event: Recorded<Extract<Mapped, { type: Type }>>) => Activity | null;
} = {
  ProjectCreated: ({ data }) =>
    activity('created', 'created', data.creatorId, data.projectId, {
      target: { type: 'Project', id: data.projectId, iid: data.projectId },
    }),
  ProjectMemberAdded: ({ data }) => membership('joined', 'joined', data),
  ProjectMemberRemoved({ data }) {
    // Whoever was removed has left; with a deleted project or user there is nobody and nothing to tell of.
    if (data.reason === 'deleted') return null;
    if (data.reason !== 'expired') return membership('left', 'left', data);
    return membership('expired', 'removed due to membership expiration from', data);
  },
  RefUpdated({ data, metadata }) {
    const push = pushDataOf(data);
    if (push === null) return null;
    const actionName = { created: 'pushed new', pushed: 'pushed to', removed: 'deleted' }[push.action];
    return activity('pushed', actionName, metadata.actorId, data.projectId, { area: 'repository', push });
  },
  IssueOpened: ({ data }) => issue('created', 'opened', data.authorId, data),
  IssueClosed: ({ data, metadata }) => issue('closed', 'closed', data.closedById ?? metadata.actorId, data),
  IssueReopened: ({ data, metadata }) => issue('reopened', 'reopened', metadata.actorId, data),
  DiscussionStarted: ({ data }) => comment(data),
  NoteAdded: ({ data }) => comment(data),
};

function activity(
  action: Activity['action'],
  actionName: string,
  authorId: number | null,
  projectId: number,
  rest: Partial<Activity>,
): Activity {
  const nothing = { area: 'project', target: null, subject: null, note: null, push: null } as const;
  return { action, actionName, authorId, projectId, ...nothing, ...rest };
}

const membership = (
  action: Activity['action'],
  actionName: string,
  { userId, projectId }: { userId: number; projectId: number },
) => activity(action, actionName, userId, projectId, { target: { type: 'User', id: userId, iid: userId } });

const issue = (
  action: Activity['action'],
  actionName: string,
  authorId: number | null,
  { issueId, projectId, iid }: { issueId: number; projectId: number; iid: number },
) =>
  activity(action, actionName, authorId, projectId, {
    area: 'issues',
    target: { type: 'Issue', id: issueId, iid },
    subject: subjectOf('Issue', issueId, iid),
  });

function comment(
  data: Extract<DiscussionEvent, { type: 'DiscussionStarted' | 'NoteAdded' }>['data'],
): Activity | null {
  // What the system notes is told by the event that it notes.
  if (data.system) return null;
  const { noteId, authorId, projectId, noteableType, noteableId, noteableIid, confidential } = data;
  return activity('commented', 'commented on', authorId, projectId, {
    area: noteableType === 'Issue' ? 'issues' : 'merge_requests',
    target: { type: 'Note', id: noteId, iid: noteId },
    subject: subjectOf(noteableType, noteableId, noteableIid),
    note: { id: noteId, confidential },
  });
}
