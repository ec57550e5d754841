import type { Repository } from '@forgelog/git/git.ts';
import type { Person } from '@forgelog/git/trees/commit-builder.ts';

export type MergeMethod = 'merge' | 'rebase_merge' | 'ff';

export interface MergeWish {
  /** The tips of target and source. */
  tip: string;
  sha: string;
  method: MergeMethod;
  mergeMessage: string;
  /** Undefined where nothing is to be squashed. */
  squash: { message: string; author: Person } | undefined;
  committer: Person;
}

/** The commits are stored, and no ref names them yet. */
export interface MergePlan {
  newTip: string;
  mergeCommitSha: string | null;
  squashCommitSha: string | null;
}

export type MergeRefusal =
  | { refused: 'already merged' | 'rebase needed' }
  | { refused: 'conflict'; conflicts: string[] };

const MOST_CONFLICTS = 1_000;

/** Makes the commits of a merge [L111]. A squashed commit is on top of the target, so that every method can take it. */
export async function planMerge(repository: Repository, wish: MergeWish): Promise<MergePlan | MergeRefusal> {
  const { tip, sha, method, squash, committer } = wish;
  const base = await repository.mergeBase([tip, sha]);
  if (base === sha) return { refused: 'already merged' };
  const isAhead = base === tip;
  if (method !== 'merge' && !isAhead) return { refused: 'rebase needed' };
  const { treeOid, conflicts } = isAhead
    ? { treeOid: (await repository.commit(sha))!.treeId, conflicts: [] }
    : await repository.mergeTrees({ ours: tip, theirs: sha });
  if (conflicts.length > 0) return { refused: 'conflict', conflicts: conflicts.slice(0, MOST_CONFLICTS) };
  const squashCommitSha = squash ? await squashed(repository, wish, treeOid, squash) : null;
  const merged = squashCommitSha ?? sha;
  if (method === 'ff') return { newTip: merged, mergeCommitSha: null, squashCommitSha };
  const mergeCommitSha = await repository.commitTree({
    ...{ treeOid, parents: [tip, merged], author: committer },
    message: cleanMessage(wish.mergeMessage),
  });
  return { newTip: mergeCommitSha, mergeCommitSha, squashCommitSha };
}

/** One commit with the wanted message is squashed already. */
async function squashed(
  repository: Repository,
  { tip, sha, committer }: MergeWish,
  treeOid: string,
  { message: wanted, author }: { message: string; author: Person },
): Promise<string> {
  const message = cleanMessage(wanted);
  const commit = (await repository.commit(sha))!;
  const isAlone = commit.parentIds.length === 1 && commit.parentIds[0] === tip;
  if (isAlone && commit.message.trimEnd() === message.trimEnd()) return sha;
  return repository.commitTree({ treeOid, parents: [tip], author, committer, message });
}

/** Drops what no message may hold, and what would act on a terminal. */
export const cleanMessage = (message: string): string =>
  `${message
    .replace(/\r\n?/g, '\n')
    .replace(/[\x00-\x08\x0b-\x1f\x7f]/g, '')
    .trimEnd()}\n`;
