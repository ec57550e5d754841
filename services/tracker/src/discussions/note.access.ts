import { Rejection } from '@forgelog/contracts/errors.ts';
import { and, asc, type Condition, eq, has, oneOf, or } from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import { MAX_NOTES } from './discussion.decider.ts';
import { type DiscussionRow, discussions, type NoteRow, notes } from './discussions.collection.ts';
import { type Discussed, type Reader, readableNotes, readsConfidential } from './noteable.access.ts';

/*
 * What a caller reads of the discussions on a noteable that he may see. A note that he may not read is not there, and
 * a discussion without a note that he may read is not there either.
 */

/** The discussions on it, as a condition. */
export function readableDiscussions(discussed: Discussed, reader: Reader): Condition {
  const onIt = eq('noteable', discussed.key);
  if (readsConfidential(discussed, reader)) return onIt;
  const open = eq('open', true);
  if (reader.principal === null) return and(onIt, open);
  return and(onIt, or(open, has('confidentialAuthorIds', reader.principal.userId)));
}

/** A note by its id. @throws record_not_found */
export async function requireNote(
  readStore: ReadStore,
  discussed: Discussed,
  noteId: number,
  reader: Reader,
): Promise<NoteRow> {
  const where = and(eq('id', noteId), eq('noteable', discussed.key), readableNotes(discussed, reader));
  const [note] = await readStore.find(notes, { where, limit: 1 });
  if (!note) throw new Rejection('record_not_found');
  return note;
}

/** A discussion by its id. @throws not_found */
export async function requireDiscussion(
  readStore: ReadStore,
  discussed: Discussed,
  discussionId: string,
  reader: Reader,
): Promise<DiscussionRow> {
  const where = and(eq('id', discussionId), readableDiscussions(discussed, reader));
  const [discussion] = await readStore.find(discussions, { where, limit: 1 });
  if (!discussion) throw new Rejection('not_found', { what: 'Discussion' });
  return discussion;
}

/** The notes of each discussion that the caller may read, in the order of the discussions. */
export async function withReadableNotes<Row extends Pick<DiscussionRow, 'id'>>(
  readStore: ReadStore,
  discussed: Discussed,
  rows: readonly Row[],
  reader: Reader,
): Promise<(Row & { notes: readonly NoteRow[] })[]> {
  const ids = rows.map(({ id }) => id);
  const found = await readStore.find(notes, {
    where: and(oneOf('discussionId', ids), readableNotes(discussed, reader)),
    sort: [asc('createdAt')],
    limit: Math.max(1, ids.length) * MAX_NOTES,
  });
  const byDiscussion = Map.groupBy(found, ({ discussionId }) => discussionId);
  return rows.map((row) => ({ ...row, notes: byDiscussion.get(row.id) ?? [] }));
}
