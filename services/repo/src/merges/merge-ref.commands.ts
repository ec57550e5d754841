import { MERGE_BOUNDS } from '@forgelog/contracts/repo/merges/merge.operations.ts';
import { RefMovedError } from '@forgelog/git/errors.ts';
import type { Repository } from '@forgelog/git/git.ts';
import { ZERO_OID } from '@forgelog/git/objects/object-id.ts';
import type { CommitPair } from './merge-facts.query.ts';
import { MERGE_REQUEST_REFS } from './merge-request-ref-names.ts';

/** Nobody asked for the merge, which only shows what merging would give. */
const NOBODY = { name: 'merge', email: 'merge@localhost' };

const mergeRefOf = (iid: number) => `${MERGE_REQUEST_REFS}/${iid}/merge`;

/** Sets the ref to a merge of two commits. The same two commits give the same merge. */
export async function setMergeRef(repository: Repository, iid: number, pair: CommitPair) {
  const { sourceSha, targetSha } = pair;
  const ref = mergeRefOf(iid);
  const before = await repository.readRef(ref);
  const parents = [targetSha, sourceSha];
  const known = before === undefined ? undefined : await repository.commit(before);
  if (known && known.parentIds.join() === parents.join()) return { sha: known.id };
  const { treeOid, conflicts } = await repository.mergeTrees({ ours: targetSha, theirs: sourceSha });
  if (conflicts.length > 0)
    return { refused: 'conflict' as const, conflicts: conflicts.slice(0, MERGE_BOUNDS.conflicts) };
  const commits = await Promise.all(parents.map((oid) => repository.commit(oid)));
  const seconds = Math.max(...commits.map((commit) => commit!.committer.date.seconds));
  const author = { ...NOBODY, date: new Date(seconds * 1000) };
  const message = `Merge ${sourceSha} into ${targetSha}\n`;
  const sha = await repository.commitTree({ treeOid, parents, author, message });
  const update = { ref, oldOid: before ?? ZERO_OID, newOid: sha };
  await repository.updateRefs([update]).catch((error: unknown) => {
    // Another call set it: the caller has its commit all the same.
    if (!(error instanceof RefMovedError)) throw error;
  });
  return { sha };
}
