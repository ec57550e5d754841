import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import { ZERO_OID } from '../git/object-id.ts';
import { isCreatableRef } from '../git/ref-name.ts';
import type { RefUpdate } from '../git/ref-transaction.ts';
import type { RepositoryReads } from '../git/repository-reads.ts';

const MAINTAINER = 40;
/** Namespaces that a push may write; everything else in `refs/` is this service's own. */
const PUSHABLE = /^refs\/(heads|tags|notes)\//;

/**
 * Why a push is refused, in the words that its author reads behind `remote:`; null when it is not. One refused ref
 * refuses the push.
 */
export async function refusalOf(
  updates: readonly RefUpdate[],
  { project, level }: ProjectGrant,
  reads: Pick<RepositoryReads, 'isAncestor'>,
): Promise<string | null> {
  if (project.archived) return 'You are not allowed to push code to this project. It is archived.';
  const defaultRef = project.defaultBranch === null ? null : `refs/heads/${project.defaultBranch}`;
  for (const { ref, oldOid, newOid } of updates) {
    const isDeletion = newOid === ZERO_OID;
    if (!PUSHABLE.test(ref)) return `You can only push branches, tags and notes, not ${ref}.`;
    if (!isDeletion && !isCreatableRef(ref)) return `${ref} is not a name that a branch or tag can have.`;
    if (ref !== defaultRef) continue;
    if (isDeletion) return 'The default branch of a project cannot be deleted.';
    if (level < MAINTAINER && oldOid !== ZERO_OID && !(await reads.isAncestor(oldOid, newOid)))
      return 'You are not allowed to force push code to a protected branch on this project.';
  }
  return null;
}
