import { PUSH_BOUNDS } from '@forgelog/contracts/repo/repositories/repository.events.ts';
import { GitBusyError } from '@forgelog/git/errors.ts';
import type { Repository } from '@forgelog/git/git.ts';
import type { Commit } from '@forgelog/git/objects/commit-object.ts';
import { ZERO_OID } from '@forgelog/git/objects/object-id.ts';
import type { RefUpdate } from '@forgelog/git/refs/ref-transaction.ts';
import type { RepositoryReads } from '@forgelog/git/repository-reads.ts';
import type { PushedCommits, RefMove } from './ref-log.decider.ts';

type Reads = Pick<
  RepositoryReads,
  'commit' | 'commits' | 'peelToCommit' | 'countCommits' | 'isAncestor' | 'readRef' | 'defaultBranch'
>;

const MAX_COUNTED = 10_000;
/** Counting walks history, so only this many branches of a push are counted. */
const MAX_WALKS = 50;
const MAX_NAME = 255;

interface DescribedMoves {
  moves: RefMove[];
  commits: PushedCommits;
}

interface Counted {
  count: number;
  isLowerBound: boolean;
  forced: boolean | null;
}

/** Computes the event details of all moves of a push, before its refs are locked. `reads` already sees the new objects. */
export async function describeMoves(
  reads: Reads | Repository,
  updates: readonly RefUpdate[],
): Promise<DescribedMoves> {
  let walks = 0;
  const seen = new Map<string, Commit>();
  let isSeenWhole = true;
  const counts: Counted[] = [];
  let defaultTip: Promise<string | undefined> | undefined;

  function see(commits: readonly Commit[], isWhole: boolean): void {
    const free = PUSH_BOUNDS.authoredCommits - seen.size;
    for (const commit of commits.slice(0, Math.max(0, free))) seen.set(commit.id, commit);
    if (!isWhole || commits.length > free) isSeenWhole = false;
  }

  async function count(update: RefUpdate, tip: Commit): Promise<Counted> {
    const { id, parentIds } = tip;
    const isUpdate = update.oldOid !== ZERO_OID;
    if (parentIds.length === 1 && parentIds[0] === update.oldOid) {
      see([tip], true);
      return { count: 1, isLowerBound: false, forced: false };
    }
    // The base to compare with: the ref's old commit, or the default branch for a new one.
    if (!isUpdate) defaultTip ??= defaultTipOf(reads);
    const base = isUpdate ? update.oldOid : await defaultTip;
    if (base === id) return { count: 0, isLowerBound: false, forced: false };
    const unknown = { count: 0, isLowerBound: true, forced: isUpdate ? null : false };
    if (++walks > MAX_WALKS) {
      isSeenWhole = false;
      return unknown;
    }
    try {
      const range = { include: [id], exclude: base === undefined ? [] : [base] };
      const limit = PUSH_BOUNDS.authoredCommits - seen.size;
      const { commits, hasMore } = (await reads.commits({ range, limit: Math.max(limit, 1) }))!;
      see(commits, !hasMore);
      // Whoever keeps the old commit has a commit on top of it.
      const keepsOld = commits.some((commit) => commit.parentIds.includes(update.oldOid));
      if (!hasMore) return { count: commits.length, isLowerBound: false, forced: isUpdate && !keepsOld };
      const found = (await reads.countCommits({ range }, MAX_COUNTED + 1)) ?? 0;
      const forced = isUpdate && !keepsOld && !(await reads.isAncestor(update.oldOid, id));
      return { count: Math.min(found, MAX_COUNTED), isLowerBound: found > MAX_COUNTED, forced };
    } catch (error) {
      if (!(error instanceof GitBusyError)) throw error;
      // A missing figure must not refuse a move.
      isSeenWhole = false;
      return unknown;
    }
  }

  const moves: RefMove[] = [];
  for (const update of updates) {
    const commitOid = update.newOid === ZERO_OID ? undefined : await reads.peelToCommit(update.newOid);
    const commit = commitOid === undefined ? undefined : await reads.commit(commitOid);
    const isBranch = commit !== undefined && update.ref.startsWith('refs/heads/');
    const counted = isBranch ? await count(update, commit) : uncounted(update);
    if (isBranch) counts.push(counted);
    moves.push({
      ...update,
      commitCount: counted.count,
      commitCountIsLowerBound: counted.isLowerBound,
      commitTitle: commit?.title ?? null,
      forced: counted.forced,
    });
  }
  return { moves, commits: commitsOf(counts, [...seen.values()], isSeenWhole) };
}

const uncounted = ({ ref, oldOid, newOid }: RefUpdate): Counted => {
  const isMove = oldOid !== ZERO_OID && newOid !== ZERO_OID;
  return { count: 0, isLowerBound: false, forced: isMove && (ref.startsWith('refs/tags/') ? true : null) };
};

async function defaultTipOf(reads: Reads): Promise<string | undefined> {
  const branch = await reads.defaultBranch();
  return branch === undefined ? undefined : reads.readRef(`refs/heads/${branch}`);
}

/** Branches may share commits: only the seen ones tell how many there are in all. */
function commitsOf(counts: readonly Counted[], seen: readonly Commit[], isSeenWhole: boolean): PushedCommits {
  const isCounted = counts.length === 1 && !counts[0]!.isLowerBound;
  const authors = new Map<string, PushedCommits['authors'][number]>();
  for (const { author } of seen) {
    const name = author.name.slice(0, MAX_NAME);
    const utcOffset = author.date.iso.slice(-'+00:00'.length);
    const key = `${utcOffset} ${name}`;
    authors.set(key, { name, utcOffset, commits: (authors.get(key)?.commits ?? 0) + 1 });
  }
  const sorted = [...authors.values()].sort((a, b) => b.commits - a.commits);
  return {
    commitCount: Math.max(seen.length, ...counts.map(({ count }) => count)),
    commitCountIsLowerBound: !isSeenWhole && !isCounted,
    authors: sorted.slice(0, PUSH_BOUNDS.authors),
    authorsAreComplete: isSeenWhole && sorted.length <= PUSH_BOUNDS.authors,
  };
}
