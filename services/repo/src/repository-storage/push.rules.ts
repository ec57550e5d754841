import { ZERO_OID } from '@forgelog/git/objects/object-id.ts';
import { refNameProblem } from '@forgelog/git/refs/ref-name.ts';
import type { RefUpdate } from '@forgelog/git/refs/ref-transaction.ts';
import type { RepositoryReads } from '@forgelog/git/repository-reads.ts';
import type { ProjectSummary, ReadOnlyCause } from '@forgelog/service-kit/access.ts';
import { defaultBranchProblem } from '../refs/default-branch.rules.ts';
import type { RefAccess } from '../refs/ref.access.ts';
import type { RefMoveKind } from '../refs/ref-protection.rules.ts';

/** Namespaces that a push may write; the rest of `refs/` is internal. */
const PUSHABLE = /^refs\/(heads|tags|notes)\//;

const WHY_READ_ONLY: Readonly<Record<ReadOnlyCause, string>> = {
  archived: 'It is archived',
  deletion: 'It is marked for deletion',
  'group deletion': 'A group above it is marked for deletion',
};

/** The most refused refs that are listed. */
const MAX_TOLD = 20;

/**
 * Returns the text of a refusal for git to print, a line per ref; null if allowed. One refused ref refuses the whole
 * push.
 */
export async function refusalOf(
  updates: readonly RefUpdate[],
  project: ProjectSummary,
  access: RefAccess,
  reads: Pick<RepositoryReads, 'isAncestor'>,
): Promise<string | null> {
  if (project.readOnly !== null)
    return `You are not allowed to push code to this project. ${WHY_READ_ONLY[project.readOnly]}.`;
  const problems: string[] = [];
  for (const update of updates) {
    const problem = nameProblem(update, project) ?? (await rightsProblem(update, project, access, reads));
    if (problem !== undefined) problems.push(problem);
    if (problems.length === MAX_TOLD) break;
  }
  return problems.length === 0 ? null : problems.join('\n');
}

/** Returns why the first push to a new project is refused; null if it is not. */
export function firstRefusalOf(updates: readonly RefUpdate[]): string | null {
  if (updates.every(({ newOid }) => newOid === ZERO_OID)) return 'There is nothing to push to a new project.';
  const problems = updates.map((update) => nameProblem(update, null)).filter((one) => one !== undefined);
  return problems.length === 0 ? null : problems.slice(0, MAX_TOLD).join('\n');
}

function nameProblem({ ref, oldOid, newOid }: RefUpdate, project: ProjectSummary | null): string | undefined {
  if (!PUSHABLE.test(ref)) return `You can only push branches, tags and notes, not ${ref}.`;
  if (newOid === ZERO_OID) return undefined;
  const problem =
    refNameProblem(ref) ?? (project && oldOid === ZERO_OID ? defaultBranchProblem(project, ref) : undefined);
  return problem && `${ref}: ${problem}`;
}

async function rightsProblem(
  update: RefUpdate,
  { defaultBranch }: ProjectSummary,
  access: RefAccess,
  reads: Pick<RepositoryReads, 'isAncestor'>,
): Promise<string | undefined> {
  const { ref } = update;
  // Only if a rule needs it: finding out whether commits are dropped is a history walk.
  const protection = access.protectionOf(ref);
  if (!protection && access.extent === 'all') return undefined;
  const kind = await kindOf(update, reads);
  if (access.mayMove(ref, kind)) return undefined;
  if (!protection)
    return `You can push only to source branches of merge requests that let you, not to ${ref}.`;
  const isDefault = defaultBranch !== null && ref === `refs/heads/${defaultBranch}`;
  if (kind === 'delete' && isDefault) return 'The default branch of a project cannot be deleted.';
  return protection.refusal(kind);
}

async function kindOf(
  { ref, oldOid, newOid }: RefUpdate,
  reads: Pick<RepositoryReads, 'isAncestor'>,
): Promise<RefMoveKind> {
  if (newOid === ZERO_OID) return 'delete';
  if (oldOid === ZERO_OID) return 'create';
  if (ref.startsWith('refs/tags/')) return 'force';
  return (await reads.isAncestor(oldOid, newOid)) ? 'update' : 'force';
}
