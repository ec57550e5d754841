import { UserCreated, type UserEvent, UserUpdated } from '@forgelog/contracts/admin/users/user.events.ts';
import type { DomainEvent } from '@forgelog/contracts/event.ts';
import {
  type DiscussionEvent,
  NoteEdited,
} from '@forgelog/contracts/tracker/discussions/discussion.events.ts';
import { defineProjection, type Recorded } from '@forgelog/eventing/define-projection.ts';
import type { RecordedEvent } from '@forgelog/eventing/event.ts';
import type { ProjectionDocuments } from '@forgelog/eventing/projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import type { TargetKind } from '../targets/target.ts';
import { endingWithTargets, keepReaders, type TargetReaders } from '../targets/target-readers.projection.ts';
import { noteableKey, noteableOf, targetKey } from '../targets/target-ref.ts';
import { type Activity, activitiesOf } from './activities.ts';
import {
  type ActivityEventRow,
  activityEvents,
  activityNumbering,
  privateProfiles,
} from './activity-events.collection.ts';

/** Events that change who may read what was told before, besides those of the targets. */
type Upkeep =
  | Extract<DiscussionEvent, { type: 'NoteEdited' }>
  | Extract<UserEvent, { type: 'UserCreated' | 'UserUpdated' }>;

const upkeep = new Set<string>([NoteEdited, UserCreated, UserUpdated].map(({ type }) => type));
const isUpkeep = (event: RecordedEvent): event is Recorded<Upkeep> => upkeep.has(event.type);

type Targets = ReturnType<typeof keepReaders>;

export function activityEventsProjection(kinds: readonly TargetKind[]) {
  const activities = activitiesOf(kinds);
  const targets = keepReaders('activity_subjects', kinds);
  return defineProjection<DomainEvent>({
    name: 'activity-events',
    collections: [activityEvents, targets.collection, activityNumbering, privateProfiles],
    handles: [...new Set([...Object.keys(activities), ...upkeep, ...targets.handles])],
    endings: [
      ...targets.endings,
      ...endingWithTargets(kinds, activityEvents, (target) => eq('subject', targetKey(target))),
    ],
    async project(event, documents) {
      const changed = await targets.project(event, documents);
      if (changed) await restrict(changed.readers, documents);
      if (isUpkeep(event)) await keepUp(event, documents, targets);
      const activity = activities[event.type]?.(event);
      if (activity) await append(activity, event, documents, targets);
    },
  });
}

async function append(
  activity: Activity,
  event: RecordedEvent,
  documents: ProjectionDocuments,
  targets: Targets,
): Promise<void> {
  const { authorId, target, subject, note } = activity;
  if (authorId === null) return;
  const numbering = await documents.get(activityNumbering, 'events');
  // This event has its number already: it is applied for the second time.
  if (numbering && event.position <= numbering.position) return;
  const id = (numbering?.lastId ?? 0) + 1;
  documents.put(activityNumbering, { name: 'events', lastId: id, position: event.position });
  const key = subject && targetKey(subject);
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
        subject: key,
        subjectType: subject?.type ?? null,
        subjectIid: subject?.iid ?? null,
        noteId: note?.id ?? null,
        noteConfidential: note?.confidential ?? false,
        createdAt: event.time,
        push: activity.push,
      },
      key === null ? undefined : await targets.of(documents, key),
    ),
  );
}

/** An event with who may read it, by its subject as that is now and by its own note. */
function guarded(
  row: Omit<ActivityEventRow, 'confidential' | 'readerIds'>,
  subject: TargetReaders | undefined,
): ActivityEventRow {
  const isSubjectConfidential = subject?.confidential ?? false;
  const confidential = isSubjectConfidential || row.noteConfidential;
  const readers = new Set<number>();
  if (confidential && subject) for (const id of [subject.authorId, ...subject.assigneeIds]) readers.add(id);
  // Authors read their own confidential notes, as long as they may see the target.
  if (row.noteConfidential && !isSubjectConfidential) readers.add(row.authorId);
  return { ...row, confidential, readerIds: [...readers] };
}

async function keepUp(
  event: Recorded<Upkeep>,
  documents: ProjectionDocuments,
  targets: Targets,
): Promise<void> {
  switch (event.type) {
    case 'NoteEdited': {
      const { noteId, changes } = event.data;
      if (changes.confidential === undefined) return;
      const subject = await targets.of(documents, noteableKey(noteableOf(event.data)));
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

/** What was told of a target is for its readers as they are now. */
async function restrict(readers: TargetReaders, documents: ProjectionDocuments): Promise<void> {
  for (const row of await documents.findAll(activityEvents, eq('subject', readers.key))) {
    const next = guarded(row, readers);
    if (row.confidential || next.confidential) documents.put(activityEvents, next);
  }
}

/** @param isPrivate undefined leaves what is there */
function keepPrivate(documents: ProjectionDocuments, userId: number, isPrivate: boolean | undefined): void {
  if (isPrivate) documents.put(privateProfiles, { userId });
  else if (isPrivate === false) documents.delete(privateProfiles, userId);
}
