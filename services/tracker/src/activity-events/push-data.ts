import type { RepositoryEvent } from '@forgelog/contracts/repo/repositories/repository.events.ts';

/** What a push event says of the ref that moved, under the API's own names [L133]. */
export interface PushData {
  commit_count: number;
  action: 'created' | 'removed' | 'pushed';
  ref_type: 'branch' | 'tag';
  commit_from: string | null;
  commit_to: string | null;
  ref: string;
  commit_title: string | null;
}

const REF = /^refs\/(heads|tags)\/(.+)$/;
const ABSENT = /^0+$/;

/** null for what is neither branch nor tag: refs that the system keeps for itself are nobody's push. */
export function pushDataOf({
  ref,
  oldOid,
  newOid,
  commitCount,
  commitTitle,
}: Extract<RepositoryEvent, { type: 'RefUpdated' }>['data']): PushData | null {
  const match = REF.exec(ref);
  if (!match) return null;
  const isNew = ABSENT.test(oldOid);
  const isGone = ABSENT.test(newOid);
  return {
    commit_count: isGone ? 0 : commitCount,
    action: isNew ? 'created' : isGone ? 'removed' : 'pushed',
    ref_type: match[1] === 'heads' ? 'branch' : 'tag',
    commit_from: isNew ? null : oldOid,
    commit_to: isGone ? null : newOid,
    ref: match[2]!,
    commit_title: commitTitle,
  };
}
