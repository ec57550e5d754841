import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import { ZERO_OID } from '../git/object-id.ts';
import { isCreatableRef } from '../git/ref-name.ts';
import type { RefUpdate } from '../git/ref-transaction.ts';
import type { RepositoryReads } from '../git/repository-reads.ts';
import { mayMoveRef, protectionOf, type RefMoveKind } from '../repository/ref-rules.ts';

/** Namespaces that a push may write; everything else in `refs/` is this service's own. */
const PUSHABLE = /^refs\/(heads|tags|notes)\//;

/**
 * Why a push is refused, in the words that its author reads behind `remote:`; null when it is not. One refused ref
 * refuses the push.
 */
export async function refusalOf(
  updates: readonly RefUpdate[],
  grant: ProjectGrant,
  reads: Pick<RepositoryReads, 'isAncestor'>,
): Promise<string | null> {
  const { project } = grant;
  if (project.archived) return 'You are not allowed to push code to this project. It is archived.';
  for (const update of updates) {
    const { ref, newOid } = update;
    const isDeletion = newOid === ZERO_OID;
    if (!PUSHABLE.test(ref)) return `You can only push branches, tags and notes, not ${ref}.`;
    if (!isDeletion && !isCreatableRef(ref)) return `${ref} is not a name that a branch or tag can have.`;
    // Only where a rule depends on it: whether commits are left behind is a walk over history.
    if (protectionOf(project, ref) === undefined) continue;
    const kind = await kindOf(update, reads);
    if (mayMoveRef(grant, ref, kind)) continue;
    if (kind === 'delete') return 'The default branch of a project cannot be deleted.';
    if (kind === 'force')
      return 'You are not allowed to force push code to a protected branch on this project.';
    return 'You are not allowed to push code to protected branches on this project.';
  }
  return null;
}

async function kindOf(
  { oldOid, newOid }: RefUpdate,
  reads: Pick<RepositoryReads, 'isAncestor'>,
): Promise<RefMoveKind> {
  if (newOid === ZERO_OID) return 'delete';
  if (oldOid === ZERO_OID) return 'create';
  return (await reads.isAncestor(oldOid, newOid)) ? 'update' : 'force';
}
