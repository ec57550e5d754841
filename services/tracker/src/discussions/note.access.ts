import { Rejection } from '@forgelog/contracts/errors.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, asc, type Condition, eq, has, oneOf, or } from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { systemNotes } from '../system-notes/shown-system-notes.ts';
import { readsConfidential } from '../targets/target.access.ts';
import type { Discussed } from '../targets/target.ts';
import { MAX_NOTES } from './discussion.decider.ts';
import { type DiscussionRow, discussions, type NoteRow, notes } from './discussions.collection.ts';

/*
 * The discussions on a target that the caller may see. A note that the caller may not read is not there, and a
 * discussion without a note that they may read is not there either.
 */

type Ports = Pick<ServicePorts, 'readStore' | 'directory'>;

/** The caller's own confidential notes besides those that are open to them. */
export function readableNotes(target: Discussed, principal: Principal | null): Condition {
  if (readsConfidential(target, target.level, principal)) return and();
  const open = eq('confidential', false);
  return principal === null ? open : or(open, eq('authorId', principal.userId));
}

/** Discussions in which the caller may read a note. */
export function readableDiscussions(target: Discussed, principal: Principal | null): Condition {
  if (readsConfidential(target, target.level, principal)) return and();
  const open = eq('open', true);
  return principal === null ? open : or(open, has('confidentialAuthorIds', principal.userId));
}

/**
 * Those who wrote a comment that the caller may read, and the caller. The row knows everybody who ever wrote one, to
 * whom news are sent.
 */
export async function readableCommenters(
  readStore: ReadStore,
  target: Discussed,
  { participantIds, notesCount }: { participantIds: readonly number[]; notesCount: number },
  principal: Principal | null,
): Promise<readonly number[]> {
  if (participantIds.length === 0 || readsConfidential(target, target.level, principal))
    return participantIds;
  const open = await readStore.find(notes, {
    where: and(eq('noteable', target.key), eq('system', false), eq('confidential', false)),
    select: ['authorId'],
    limit: Math.max(1, notesCount),
  });
  const authorIds = new Set(open.map(({ authorId }) => authorId));
  return participantIds.filter((id) => id === principal?.userId || authorIds.has(id));
}

/** A note by its id. @throws record_not_found */
export async function requireNote(
  ports: Ports,
  target: Discussed,
  noteId: number,
  principal: Principal | null,
): Promise<NoteRow> {
  const { near, isVisible } = systemNotes(ports);
  const where = and(eq('id', noteId), await near(target), readableNotes(target, principal));
  const [note] = await ports.readStore.find(notes, { where, limit: 1 });
  if (!note || !(await isVisible(target, note, principal))) throw new Rejection('record_not_found');
  return note;
}

/** A discussion by its id. @throws not_found */
export async function requireDiscussion(
  ports: Ports,
  target: Discussed,
  discussionId: string,
  principal: Principal | null,
): Promise<DiscussionRow> {
  const { near, isVisible } = systemNotes(ports);
  const where = and(eq('id', discussionId), await near(target), readableDiscussions(target, principal));
  const [discussion] = await ports.readStore.find(discussions, { where, limit: 1 });
  if (!discussion || !(await isVisible(target, discussion, principal)))
    throw new Rejection('not_found', { what: 'Discussion' });
  return discussion;
}

/** The notes of each discussion that the caller may read, in the order of the discussions. */
export async function withReadableNotes<Row extends Pick<DiscussionRow, 'id'>>(
  readStore: ReadStore,
  target: Discussed,
  rows: readonly Row[],
  principal: Principal | null,
): Promise<(Row & { notes: readonly NoteRow[] })[]> {
  const ids = rows.map(({ id }) => id);
  const found = await readStore.find(notes, {
    where: and(oneOf('discussionId', ids), readableNotes(target, principal)),
    sort: [asc('createdAt')],
    limit: Math.max(1, ids.length) * MAX_NOTES,
  });
  const byDiscussion = Map.groupBy(found, ({ discussionId }) => discussionId);
  return rows.map((row) => ({ ...row, notes: byDiscussion.get(row.id) ?? [] }));
}
