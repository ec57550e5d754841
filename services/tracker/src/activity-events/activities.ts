import type { ProjectMemberEvent } from '@forgelog/contracts/admin/members/project-member.events.ts';
import type { ProjectFeature } from '@forgelog/contracts/endpoint.ts';
import type { ProjectEvent } from '@forgelog/contracts/repo/projects/project.events.ts';
import type { RepositoryEvent } from '@forgelog/contracts/repo/repositories/repository.events.ts';
import type { activityActions } from '@forgelog/contracts/tracker/activity-events/activity-event.api.ts';
import type { DiscussionEvent } from '@forgelog/contracts/tracker/discussions/discussion.events.ts';
import type { Recorded } from '@forgelog/eventing/define-projection.ts';
import { initiatorOf, type RecordedEvent } from '@forgelog/eventing/event.ts';
import type { TargetActivity, TargetKind } from '../targets/target.ts';
import { isTargetRef, noteableOf, type TargetRef } from '../targets/target-ref.ts';
import { type PushData, pushDataOf } from './push-data.ts';

/** What of an event of the log becomes an activity event [L133, L492]. */
export interface Activity {
  /** Word of the filter. */
  action: (typeof activityActions)[number];
  /** Word for display: the filter's `created` reads `opened` for an issue, `pushed` reads `pushed new`. */
  actionName: string;
  /** null stands for the system, whose doings are no activity. */
  authorId: number | null;
  projectId: number;
  /** Part of the project that must be open to whoever reads it. */
  area: 'project' | ProjectFeature;
  target: { type: TargetRef['type'] | 'Note' | 'Project' | 'User'; id: number; iid: number } | null;
  /** The target that it is about, by which confidentiality goes. */
  subject: TargetRef | null;
  note: { id: number; confidential: boolean } | null;
  push: PushData | null;
}

type Mapped =
  | Extract<ProjectEvent, { type: 'ProjectCreated' }>
  | Extract<ProjectMemberEvent, { type: 'ProjectMemberAdded' | 'ProjectMemberRemoved' }>
  | Extract<RepositoryEvent, { type: 'RefUpdated' }>
  | Extract<DiscussionEvent, { type: 'DiscussionStarted' | 'NoteAdded' }>;

type Teller = (event: RecordedEvent, kinds: readonly TargetKind[]) => Activity | null;

/** What is told of each event whose contract says `told`, those of the targets included. null: nothing is told. */
export function activitiesOf(
  kinds: readonly TargetKind[],
): Readonly<Record<string, (event: RecordedEvent) => Activity | null>> {
  const own = Object.entries(activities as Record<string, Teller>).map(([type, tell]) => [
    type,
    (event: RecordedEvent) => tell(event, kinds),
  ]);
  const ofTargets = kinds.flatMap((kind) =>
    kind.events.activities.map(({ type, read }) => [
      type,
      (event: RecordedEvent) => aboutTarget(kind, read(event)),
    ]),
  );
  return Object.fromEntries([...own, ...ofTargets]);
}

const activities: {
  [Type in Mapped['type']]: (
    event: Recorded<Extract<Mapped, { type: Type }>>,
    kinds: readonly TargetKind[],
  ) => Activity | null;
} = {
  ProjectCreated: ({ data }) =>
    activity('created', 'created', data.creatorId, data.projectId, {
      target: { type: 'Project', id: data.projectId, iid: data.projectId },
    }),
  ProjectMemberAdded: ({ data }) => membership('joined', 'joined', data),
  ProjectMemberRemoved({ data }) {
    // A removed member has left. With a deleted project or user there is nothing to tell.
    if (data.reason === 'deleted') return null;
    if (data.reason !== 'expired') return membership('left', 'left', data);
    return membership('expired', 'removed due to membership expiration from', data);
  },
  RefUpdated({ data, metadata }) {
    // Nobody pushed what a fork begins with.
    const push = data.via === 'fork' ? null : pushDataOf(data);
    if (push === null) return null;
    const actionName = { created: 'pushed new', pushed: 'pushed to', removed: 'deleted' }[push.action];
    return activity('pushed', actionName, initiatorOf(metadata).actorId, data.projectId, {
      area: 'repository',
      push,
    });
  },
  DiscussionStarted: ({ data, metadata }, kinds) => (isCopied(metadata) ? null : comment(data, kinds)),
  NoteAdded: ({ data, metadata }, kinds) => (isCopied(metadata) ? null : comment(data, kinds)),
};

/** A note that follows from another event was written and told before, on the issue that it was copied from. */
const isCopied = ({ causationId }: RecordedEvent['metadata']): boolean => causationId !== null;

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

const aboutTarget = (
  { contract }: TargetKind,
  { action, actionName, authorId, target }: TargetActivity,
): Activity =>
  activity(action, actionName, authorId, target.projectId, {
    area: contract.feature,
    target: { type: target.type, id: target.id, iid: target.iid },
    subject: target,
  });

function comment(
  data: Extract<DiscussionEvent, { type: 'DiscussionStarted' | 'NoteAdded' }>['data'],
  kinds: readonly TargetKind[],
): Activity | null {
  const { noteId, authorId, confidential } = data;
  const on = noteableOf(data);
  if (on.type === 'Commit' && !data.system)
    return activity('commented', 'commented on', authorId, on.projectId, {
      area: 'repository',
      target: { type: 'Note', id: noteId, iid: noteId },
      note: { id: noteId, confidential },
    });
  const kind = kinds.find(({ contract }) => contract.type === on.type);
  // What the system notes is told by the event that it notes.
  if (data.system || !kind || !isTargetRef(on)) return null;
  return activity('commented', 'commented on', authorId, on.projectId, {
    area: kind.contract.feature,
    target: { type: 'Note', id: noteId, iid: noteId },
    subject: on,
    note: { id: noteId, confidential },
  });
}
