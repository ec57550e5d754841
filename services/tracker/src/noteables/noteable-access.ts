import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { and, type Condition, eq, or } from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { type NoteableRow, type NoteableType, noteables } from './noteables.projection.ts';

/** Who asks, in the project of the noteable. */
export interface Reader {
  principal: Principal | null;
  project: ProjectGrant;
}

/**
 * An issue or merge request by its number in the project.
 * @throws record_not_found where there is none, and just so where the caller may not see it
 */
export async function requireNoteable(
  readStore: ReadStore,
  type: NoteableType,
  iid: number,
  reader: Reader,
): Promise<NoteableRow> {
  const where = and(eq('projectId', reader.project.project.id), eq('type', type), eq('iid', iid));
  const [noteable] = await readStore.find(noteables, { where, limit: 1 });
  if (!noteable || (noteable.confidential && !readsConfidential(noteable, reader)))
    throw new Rejection('record_not_found');
  return noteable;
}

/** Confidential is what reporters, the author and the assignees read, and nobody else. */
export function readsConfidential(noteable: NoteableRow, { principal, project }: Reader): boolean {
  if (principal === null) return false;
  if (project.level >= AccessLevel.reporter) return true;
  return noteable.authorId === principal.userId || noteable.assigneeIds!.includes(principal.userId);
}

/** The notes on it that the caller may read: confidential ones of his own besides those open to him. */
export function readableNotes(noteable: NoteableRow, reader: Reader): Condition {
  if (readsConfidential(noteable, reader)) return and();
  const open = eq('confidential', false);
  return reader.principal === null ? open : or(open, eq('authorId', reader.principal.userId));
}

/** @throws forbidden where discussion is locked and the caller is no member */
export function requireUnlocked(noteable: NoteableRow, { project }: Reader): void {
  if (noteable.discussionLocked && project.level < AccessLevel.guest) throw new Rejection('forbidden', {});
}
