import { UserCreated, type UserEvent, UserUpdated } from '@forgelog/contracts/admin/users/user.events.ts';
import type { DomainEvent } from '@forgelog/contracts/event.ts';
import {
  type DiscussionEvent,
  NoteEdited,
} from '@forgelog/contracts/tracker/discussions/discussion.events.ts';
import {
  type IssueEvent,
  IssueOpened,
  IssueUpdated,
} from '@forgelog/contracts/tracker/issues/issue.events.ts';
import { defineProjection, type Recorded } from '@forgelog/eventing/define-projection.ts';
import type { RecordedEvent } from '@forgelog/eventing/event.ts';
import type { ProjectionDocuments } from '@forgelog/eventing/projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { noteableKey } from '../discussions/noteable.access.ts';
import { type Activity, activities } from './activities.ts';
import {
  type ActivityEventRow,
  type ActivitySubject,
  activityEvents,
  activityNumbering,
  activitySubjects,
  privateProfiles,
} from './activity-events.collection.ts';

/** Events that change who may read what was told before; one may be told as activity as well. */
type Upkeep =
  | Extract<IssueEvent, { type: 'IssueOpened' | 'IssueUpdated' }>
  | Extract<DiscussionEvent, { type: 'NoteEdited' }>
  | Extract<UserEvent, { type: 'UserCreated' | 'UserUpdated' }>;

const upkeep = [IssueOpened, IssueUpdated, NoteEdited, UserCreated, UserUpdated].map(({ type }) => type);

export const activityEventsProjection = defineProjection<DomainEvent>({
  name: 'activity-events',
  collections: [activityEvents, activitySubjects, activityNumbering, privateProfiles],
  handles: [...new Set<string>([...Object.keys(activities), ...upkeep])],
  async project(event, documents) {
    if ((upkeep as string[]).includes(event.type)) await keepUp(event as Recorded<Upkeep>, documents);
    const tell = (activities as Record<string, (event: RecordedEvent) => Activity | null>)[event.type];
    const activity = tell?.(event);
    if (activity) await append(activity, event, documents);
  },
});

async function append(
  activity: Activity,
  event: RecordedEvent,
  documents: ProjectionDocuments,
): Promise<void> {
  const { authorId, target, subject, note } = activity;
  if (authorId === null) return;
  const numbering = await documents.get(activityNumbering, 'events');
  // This event has its number already: it is applied for the second time.
  if (numbering && event.position <= numbering.position!) return;
  const id = (numbering?.lastId ?? 0) + 1;
  documents.put(activityNumbering, { name: 'events', lastId: id, position: event.position });
  const about = subject && (await documents.get(activitySubjects, subject.key));
  documents.put(
    activityEvents,
    guarded(
      {
        id,
        action: activity.action,
        actionName: activity.actionName,
        authorId,
        projectId: activity.projectId,
        area: activity.area,
        targetType: target?.type ?? null,
        targetId: target?.id ?? null,
        targetIid: target?.iid ?? null,
        subject: subject?.key ?? null,
        subjectType: subject?.type ?? null,
        subjectIid: subject?.iid ?? null,
        noteId: note?.id ?? null,
        noteConfidential: note?.confidential ?? false,
        createdAt: event.time,
        push: activity.push,
      },
      about ?? undefined,
    ),
  );
}

/** An event with who may read it, by its subject as that is now and by its own note. */
function guarded(
  row: Omit<ActivityEventRow, 'confidential' | 'readerIds'>,
  subject: ActivitySubject | undefined,
): ActivityEventRow {
  const isSubjectConfidential = subject?.confidential ?? false;
  const confidential = isSubjectConfidential || row.noteConfidential!;
  const readers = new Set<number>();
  if (confidential && subject) for (const id of [subject.authorId!, ...subject.assigneeIds!]) readers.add(id);
  // His own confidential note is his to read, as long as he may see what it is on.
  if (row.noteConfidential && !isSubjectConfidential) readers.add(row.authorId!);
  return { ...row, confidential, readerIds: [...readers] };
}

async function keepUp(event: Recorded<Upkeep>, documents: ProjectionDocuments): Promise<void> {
  switch (event.type) {
    case 'IssueOpened': {
      const { issueId, projectId, authorId, assigneeIds, confidential } = event.data;
      const key = noteableKey('Issue', issueId);
      return documents.put(activitySubjects, { key, projectId, authorId, assigneeIds, confidential });
    }
    case 'IssueUpdated': {
      const { confidential, assigneeIds } = event.data.changes;
      if (confidential === undefined && assigneeIds === undefined) return;
      return changeSubject(documents, noteableKey('Issue', event.data.issueId), {
        ...(confidential === undefined ? {} : { confidential }),
        ...(assigneeIds === undefined ? {} : { assigneeIds }),
      });
    }
    case 'NoteEdited': {
      const { noteId, noteableType, noteableId, changes } = event.data;
      if (changes.confidential === undefined) return;
      const subject = await documents.get(activitySubjects, noteableKey(noteableType, noteableId));
      for (const row of await documents.find(activityEvents, { where: eq('noteId', noteId), limit: 1 }))
        documents.put(activityEvents, guarded({ ...row, noteConfidential: changes.confidential }, subject));
      return;
    }
    case 'UserCreated':
      return keepPrivate(documents, event.data.userId, event.data.profile.private_profile);
    case 'UserUpdated':
      return keepPrivate(documents, event.data.userId, event.data.changes.profile?.private_profile);
    default:
      event satisfies never;
  }
}

async function changeSubject(
  documents: ProjectionDocuments,
  key: string,
  changes: Partial<ActivitySubject>,
): Promise<void> {
  const before = await documents.get(activitySubjects, key);
  if (!before) return;
  const subject = { ...before, ...changes };
  documents.put(activitySubjects, subject);
  for (const row of await documents.findAll(activityEvents, eq('subject', key))) {
    const next = guarded(row, subject);
    if (row.confidential || next.confidential) documents.put(activityEvents, next);
  }
}

/** @param isPrivate undefined leaves what is there */
function keepPrivate(documents: ProjectionDocuments, userId: number, isPrivate: boolean | undefined): void {
  if (isPrivate) documents.put(privateProfiles, { userId });
  else if (isPrivate === false) documents.delete(privateProfiles, userId);
}
