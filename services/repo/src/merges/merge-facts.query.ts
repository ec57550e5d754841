import { GitTimeoutError, ObjectNotFoundError } from '@forgelog/git/errors.ts';
import type { RepositoryReads } from '@forgelog/git/repository-reads.ts';

/** The two commits of a merge: the head of a merge request, and the tip of its target. */
export interface CommitPair {
  sourceSha: string;
  targetSha: string;
}

/** Runs a read of two commits. Answers with a refusal if the repository lacks one of them. */
export async function ofCommits<T>(
  reads: RepositoryReads,
  { sourceSha, targetSha }: CommitPair,
  work: () => Promise<T>,
): Promise<T | { refused: 'no commit' }> {
  const refused = { refused: 'no commit' } as const;
  const commits = await Promise.all([reads.commit(sourceSha), reads.commit(targetSha)]);
  if (commits.includes(undefined)) return refused;
  try {
    return await work();
  } catch (error) {
    if (error instanceof ObjectNotFoundError) return refused;
    throw error;
  }
}

/** Whether the two can be merged: a function of their ids. */
export async function mergeability(reads: RepositoryReads, { sourceSha, targetSha }: CommitPair) {
  const base = await reads.mergeBase([targetSha, sourceSha]);
  return {
    baseSha: base ?? null,
    conflicts: await reads.mergeConflicts(targetSha, sourceSha),
    canFastForward: base === targetSha,
  };
}

/** Counts the files that differ, up to `most`. Null if that takes too long. */
export async function countChanges(
  reads: RepositoryReads,
  { from, to, most }: { from: string | null; to: string; most: number },
): Promise<{ count: number | null; isLowerBound: boolean }> {
  try {
    const count = await reads.countChangedPaths(from ?? undefined, to);
    return { count: Math.min(count, most), isLowerBound: count > most };
  } catch (error) {
    if (error instanceof GitTimeoutError) return { count: null, isLowerBound: true };
    throw error;
  }
}
