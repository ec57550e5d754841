import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import type { ProjectGrant, ProjectSummary } from '@forgelog/service-kit/access.ts';

/** What is to happen to a ref; `force` leaves commits behind. */
export type RefMoveKind = 'create' | 'update' | 'force' | 'delete';

/** Least levels for a protected branch. */
export interface Protection {
  pushLevel: number;
  mergeLevel: number;
}

/**
 * Who may move which ref (a full name), by a push and through the API alike: Developers move branches and tags.
 * The default branch cannot be deleted, and leaves commits behind only for Maintainers.
 */
export function mayMoveRef({ project, level }: ProjectGrant, ref: string, kind: RefMoveKind): boolean {
  if (project.archived || level < AccessLevel.developer) return false;
  if (!isDefaultBranch(project, ref)) return true;
  if (kind === 'delete') return false;
  return kind !== 'force' || level >= AccessLevel.maintainer;
}

/** How a ref is protected beyond what holds for every ref; undefined where it is not. */
export function protectionOf(project: ProjectSummary, ref: string): Protection | undefined {
  if (!isDefaultBranch(project, ref)) return undefined;
  return { pushLevel: AccessLevel.developer, mergeLevel: AccessLevel.developer };
}

/** A tag named like the default branch makes that name ambiguous in every clone. */
export function defaultBranchProblem(project: ProjectSummary, ref: string): string | undefined {
  const isTaken = project.defaultBranch !== null && ref === `refs/tags/${project.defaultBranch}`;
  return isTaken ? 'You cannot use default branch name to create a tag' : undefined;
}

function isDefaultBranch(project: ProjectSummary, ref: string): boolean {
  return project.defaultBranch !== null && ref === `refs/heads/${project.defaultBranch}`;
}
