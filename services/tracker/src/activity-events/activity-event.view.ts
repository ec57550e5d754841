import { activityEventView } from '@forgelog/contracts/tracker/activity-events/activity-event.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { oneOf } from '@forgelog/eventing/query.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { given, nested } from '@forgelog/service-kit/view-parts.ts';
import { user } from '@forgelog/service-kit/view-placeholders.ts';
import { type NoteRow, notes } from '../discussions/discussions.collection.ts';
import { noteJson } from '../discussions/note.view.ts';
import type { TargetKind } from '../targets/target.ts';
import { refOfKey } from '../targets/target-ref.ts';
import type { ActivityEventRow } from './activity-events.collection.ts';
import type { PushData } from './push-data.ts';

/**
 * An activity event with what it is about, as that is now: a comment as it reads, a target under its present title.
 */
interface ToldEvent extends ActivityEventRow {
  targetTitle: string | null;
  authorUsername: string;
  note: NoteRow | undefined;
}

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
  ports: ServicePorts,
  kinds: readonly TargetKind[],
  rows: readonly ActivityEventRow[],
): Promise<ToldEvent[]> {
  const { readStore, directory } = ports;
  const noteIds = rows.flatMap(({ noteId }) => noteId ?? []);
  const foundNotes = await readStore.find(notes, {
    where: oneOf('id', noteIds),
    limit: Math.max(1, noteIds.length),
  });
  const noteById = new Map(foundNotes.map((note) => [note.id, note]));
  const titles = new Map<string, string>();
  for (const kind of kinds) {
    const about = rows.filter(({ subjectType }) => subjectType === kind.contract.type);
    if (about.length === 0) continue;
    const refs = about.map((row) => refOfKey(row.subject!, row.projectId, row.subjectIid!));
    for (const [key, title] of await kind.titles(ports, refs)) titles.set(key, title);
  }

  async function titleOf(row: ActivityEventRow): Promise<string | null> {
    if (row.subject !== null) return titles.get(row.subject) ?? null;
    if (row.targetType === 'Project') return (await directory.project(row.targetId!))?.name ?? null;
    if (row.targetType === 'User') return (await directory.user(row.targetId!))?.name ?? null;
    return null;
  }

  return Promise.all(
    rows.map(async (row) => ({
      ...row,
      targetTitle: await titleOf(row),
      authorUsername: (await directory.user(row.authorId))?.username ?? '',
      note: row.noteId === null ? undefined : noteById.get(row.noteId),
    })),
  );
}
