import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { oneOf } from '@forgelog/eventing/query.ts';
import { ref, writeReadyJson } from '@forgelog/service-kit/ready-json.ts';
import { notes } from '../discussions/discussions.collections.ts';
import { noteJson } from '../discussions/note-json.ts';
import { issues, placeOf } from '../issues/issues.collection.ts';
import type { ActivityEventRow } from './activity-events.collection.ts';

/**
 * Ready JSON of activity events [L133]. What they are about is shown as it is now: a comment as it reads, an issue
 * under its present title.
 */
export async function eventsJson(
  { readStore, directory }: Pick<ServicePorts, 'readStore' | 'directory'>,
  rows: readonly ActivityEventRow[],
): Promise<string[]> {
  const noteIds = rows.flatMap(({ noteId }) => noteId ?? []);
  const foundNotes = await readStore.find(notes, {
    where: oneOf('id', noteIds),
    limit: Math.max(1, noteIds.length),
    select: ['id', 'body'],
  });
  const noteById = new Map(foundNotes.map((note) => [note.id, noteJson(note)]));
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
    rows.map(async (row) => {
      const text = writeReadyJson({
        id: row.id,
        title: null,
        project_id: row.projectId,
        action_name: row.actionName,
        target_id: row.targetId,
        target_iid: row.targetIid,
        target_type: row.targetType,
        target_title: await titleOf(row),
        author_id: row.authorId,
        author: ref.user(row.authorId),
        author_username: (await directory.user(row.authorId!))?.username ?? '',
        created_at: row.createdAt,
        data: null,
        push_data: row.push,
      });
      const note = row.noteId === null ? undefined : noteById.get(row.noteId);
      return `${text.slice(0, -1)},"note":${note ?? 'null'}}`;
    }),
  );
}

const placeOfSubject = ({ subjectType, subjectIid, projectId }: ActivityEventRow): number | undefined =>
  subjectType === 'Issue' ? placeOf(projectId!, subjectIid!) : undefined;
