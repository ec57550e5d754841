import { GitBusyError } from '@forgelog/git/errors.ts';
import type { Repository } from '@forgelog/git/git.ts';
import type { Commit } from '@forgelog/git/objects/commit-object.ts';
import { ZERO_OID } from '@forgelog/git/objects/object-id.ts';
import type { RefUpdate } from '@forgelog/git/refs/ref-transaction.ts';
import type { RepositoryReads } from '@forgelog/git/repository-reads.ts';
import type { RefMove } from './ref-log.decider.ts';

type Reads = Pick<RepositoryReads, 'commit' | 'peelToCommit' | 'countCommits' | 'readRef' | 'defaultBranch'>;

/** The most commits counted per move. */
const MAX_COUNTED = 10_000;
/** Counting walks history, so only this many branches of a push are counted. */
const MAX_WALKS = 50;

/** Computes the event details of each move, before its ref is locked. `reads` already sees the new objects. */
export async function describeMoves(
  reads: Reads | Repository,
  updates: readonly RefUpdate[],
): Promise<RefMove[]> {
  let walks = 0;
  const moves: RefMove[] = [];
  async function count(update: RefUpdate, { id, parentIds }: Commit): Promise<number> {
    if (parentIds.length === 1 && parentIds[0] === update.oldOid) return 1;
    const base = await baseOf(reads, update);
    if (base === id || ++walks > MAX_WALKS) return 0;
    const range = { include: [id], exclude: base === undefined ? [] : [base] };
    return (await reads.countCommits({ range }, MAX_COUNTED).catch(zeroIfBusy)) ?? 0;
  }
  for (const update of updates) {
    const commitOid = update.newOid === ZERO_OID ? undefined : await reads.peelToCommit(update.newOid);
    const commit = commitOid === undefined ? undefined : await reads.commit(commitOid);
    const isBranch = commit !== undefined && update.ref.startsWith('refs/heads/');
    const commitCount = isBranch ? await count(update, commit) : 0;
    moves.push({ ...update, commitCount, commitTitle: commit?.title ?? null });
  }
  return moves;
}

/** The base to compare with: the ref's old commit, or the default branch for a new one. */
async function baseOf(reads: Reads, update: RefUpdate): Promise<string | undefined> {
  if (update.oldOid !== ZERO_OID) return update.oldOid;
  const branch = await reads.defaultBranch();
  return branch === undefined ? undefined : reads.readRef(`refs/heads/${branch}`);
}

/** A missing figure must not refuse a move. */
function zeroIfBusy(error: unknown): number {
  if (error instanceof GitBusyError) return 0;
  throw error;
}
