import { activityEventView } from '@forgelog/contracts/tracker/activity-events/activity-event.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { oneOf } from '@forgelog/eventing/query.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { given, nested } from '@forgelog/service-kit/view-parts.ts';
import { user } from '@forgelog/service-kit/view-placeholders.ts';
import { type NoteRow, notes } from '../discussions/discussions.collection.ts';
import { noteJson } from '../discussions/note.view.ts';
import { issues, placeOf } from '../issues/issues.collection.ts';
import type { ActivityEventRow } from './activity-events.collection.ts';
import type { PushData } from './push-data.ts';

/**
 * An activity event with what it is about, as that is now: a comment as it reads, an issue under its present title.
 */
interface ToldEvent extends ActivityEventRow {
  targetTitle: string | null;
  authorUsername: string;
  note: NoteRow | undefined;
}

/** Activity event [L133]. */
export const activityEventJson = implementView(activityEventView).from<ToldEvent>({
  id: 'id',
  title: null,
  project_id: 'projectId',
  action_name: 'actionName',
  target_id: 'targetId',
  target_iid: 'targetIid',
  target_type: 'targetType',
  target_title: 'targetTitle',
  author_id: 'authorId',
  author: user('authorId'),
  author_username: 'authorUsername',
  created_at: 'createdAt',
  data: null,
  push_data: given(({ push }: ToldEvent) => push as PushData | null),
  note: nested(noteJson, ({ note }: ToldEvent) => note, {}),
});

/** What the events are about, read once for all of them. */
export async function withSubjects(
  { readStore, directory }: Pick<ServicePorts, 'readStore' | 'directory'>,
  rows: readonly ActivityEventRow[],
): Promise<ToldEvent[]> {
  const noteIds = rows.flatMap(({ noteId }) => noteId ?? []);
  const foundNotes = await readStore.find(notes, {
    where: oneOf('id', noteIds),
    limit: Math.max(1, noteIds.length),
  });
  const noteById = new Map(foundNotes.map((note) => [note.id, note]));
  const places = new Set(rows.flatMap((row) => placeOfSubject(row) ?? []));
  const foundIssues = await readStore.find(issues, {
    where: oneOf('place', [...places]),
    limit: Math.max(1, places.size),
    select: ['place', 'title'],
  });
  const titles = new Map(foundIssues.map(({ place, title }) => [place, title]));

  async function titleOf(row: ActivityEventRow): Promise<string | null> {
    const place = placeOfSubject(row);
    if (place !== undefined) return titles.get(place) ?? null;
    if (row.targetType === 'Project') return (await directory.project(row.targetId!))?.name ?? null;
    if (row.targetType === 'User') return (await directory.user(row.targetId!))?.name ?? null;
    return null;
  }

  return Promise.all(
    rows.map(async (row) => ({
      ...row,
      targetTitle: await titleOf(row),
      authorUsername: (await directory.user(row.authorId!))?.username ?? '',
      note: row.noteId === null ? undefined : noteById.get(row.noteId),
    })),
  );
}

const placeOfSubject = ({ subjectType, subjectIid, projectId }: ActivityEventRow): number | undefined =>
  subjectType === 'Issue' ? placeOf(projectId!, subjectIid!) : undefined;
