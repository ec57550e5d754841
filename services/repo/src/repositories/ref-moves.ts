import type { Repository } from '../git/git.ts';
import { ZERO_OID } from '../git/object-id.ts';
import type { RefUpdate } from '../git/ref-transaction.ts';
import type { RepositoryReads } from '../git/repository-reads.ts';
import type { RefMove } from './ref-log.decider.ts';

type Reads = Pick<RepositoryReads, 'commit' | 'peelToCommit' | 'countCommits' | 'readRef' | 'defaultBranch'>;

/** Commits of one move are counted up to this. */
const MAX_COUNTED = 10_000;
/** Counting walks history: a push of very many branches is not worth it. */
const MAX_WALKS = 50;

/**
 * What the log tells of each move besides its ids. Called before the refs are locked, with a view that already
 * sees the new objects.
 */
export async function describeMoves(
  reads: Reads | Repository,
  updates: readonly RefUpdate[],
): Promise<RefMove[]> {
  let walks = 0;
  const moves: RefMove[] = [];
  for (const update of updates) {
    const commitOid = update.newOid === ZERO_OID ? undefined : await reads.peelToCommit(update.newOid);
    const commit = commitOid === undefined ? undefined : await reads.commit(commitOid);
    let commitCount = 0;
    if (commit && update.ref.startsWith('refs/heads/')) {
      if (commit.parentIds.length === 1 && commit.parentIds[0] === update.oldOid) commitCount = 1;
      else if (++walks <= MAX_WALKS) {
        const range = { include: [commit.id], exclude: await baseOf(reads, update) };
        commitCount = (await reads.countCommits({ range }, MAX_COUNTED)) ?? 0;
      }
    }
    moves.push({ ...update, commitCount, commitTitle: commit?.title ?? null });
  }
  return moves;
}

/** What was there before: the ref itself, or for a new branch the default one. */
async function baseOf(reads: Reads, update: RefUpdate): Promise<string[]> {
  if (update.oldOid !== ZERO_OID) return [update.oldOid];
  const branch = await reads.defaultBranch();
  const tip = branch === undefined ? undefined : await reads.readRef(`refs/heads/${branch}`);
  return tip === undefined || tip === update.newOid ? [] : [tip];
}
