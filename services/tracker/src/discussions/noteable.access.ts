import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { and, type Condition, eq, or } from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { issues, placeOf } from '../issues/issues.collection.ts';
import type { Noteable } from './discussion.decider.ts';

/** What is discussed, with what decides on who may read and write about it, as it is now. */
export interface Discussed {
  /** `noteableKey` of it. */
  key: string;
  on: Noteable;
  authorId: number;
  assigneeIds: readonly number[];
  confidential: boolean;
  discussionLocked: boolean;
}

export const noteableKey = (type: Noteable['noteableType'], id: number) => `${type}-${id}`;

/** Who asks, in the project of what is discussed. */
export interface Reader {
  principal: Principal | null;
  project: ProjectGrant;
}

/**
 * An issue by its number in the project.
 * @throws record_not_found where there is none, and just so where the caller may not see it
 */
export async function requireIssue(readStore: ReadStore, iid: number, reader: Reader): Promise<Discussed> {
  const projectId = reader.project.project.id;
  const place = placeOf(projectId, iid);
  const issue = place === undefined ? undefined : await readStore.get(issues, place);
  // A deleted issue leaves its number behind, and nothing in it.
  if (!issue || issue.projectId === null) throw new Rejection('record_not_found');
  const discussed = {
    key: noteableKey('Issue', issue.id!),
    on: { projectId, noteableType: 'Issue' as const, noteableId: issue.id!, noteableIid: iid },
    authorId: issue.authorId!,
    assigneeIds: issue.assigneeIds!,
    confidential: issue.confidential!,
    discussionLocked: issue.discussionLocked!,
  };
  if (discussed.confidential && !readsConfidential(discussed, reader))
    throw new Rejection('record_not_found');
  return discussed;
}

/** Confidential is what reporters, the author and the assignees read, and nobody else. */
export function readsConfidential(discussed: Discussed, { principal, project }: Reader): boolean {
  if (principal === null) return false;
  if (project.level >= AccessLevel.reporter) return true;
  return discussed.authorId === principal.userId || discussed.assigneeIds.includes(principal.userId);
}

/** The notes on it that the caller may read: confidential ones of his own besides those open to him. */
export function readableNotes(discussed: Discussed, reader: Reader): Condition {
  if (readsConfidential(discussed, reader)) return and();
  const open = eq('confidential', false);
  return reader.principal === null ? open : or(open, eq('authorId', reader.principal.userId));
}

/** @throws forbidden where discussion is locked and the caller is no member */
export function requireUnlocked({ discussionLocked }: Discussed, { project }: Reader): void {
  if (discussionLocked && project.level < AccessLevel.guest) throw new Rejection('forbidden', {});
}
