/** Finds the merge base of two commits, without a process where they are close to each other. */
import { commitParentIds, committedSeconds } from '../objects/commit-object.ts';
import { assertOid } from '../objects/object-id.ts';
import { answerKey, memoized } from '../process/memoize.ts';
import type { RepositoryContext } from '../repository-context.ts';

/** The most commits that are read before the search is left to git, and that it looks at in all. */
const MOST_READ = 100;
const MOST_SEEN = 2_000;

const OF_ONE = 1;
const OF_OTHER = 2;
const OF_BOTH = OF_ONE | OF_OTHER;
/** In the history of a common commit, and so not the best one. */
const STALE = 4;

/** Remembered longer than the commit, so that the next search goes further. */
interface Line {
  seconds: number;
  parents: readonly string[];
}

interface Seen extends Line {
  oid: string;
  flags: number;
}

/** Bytes of a line, its key included. */
const LINE_WEIGHT = 500;

/** The best common ancestor, if it is the only one. */
export async function onlyMergeBase(
  context: RepositoryContext,
  one: string,
  other: string,
): Promise<string | undefined> {
  return memoized(context, ['only-base', assertOid(one), assertOid(other)], async () => {
    const near = await nearMergeBase(context, one, other);
    if (near !== undefined) return near;
    const args = ['merge-base', '--all', one, other];
    const { stdout } = await context.runner.capture(context, args, { codes: [0, 1], weight: 'walk' });
    const bases = stdout.toString('latin1').split('\n').filter(Boolean);
    return bases.length === 1 ? bases[0] : undefined;
  });
}

/**
 * The best common ancestor, if it is near and the only one. Commits are painted from both ends, the newest
 * first, until only ancestors of common commits are left. Wrong dates can leave several; then git has to tell.
 */
async function nearMergeBase(
  context: RepositoryContext,
  one: string,
  other: string,
): Promise<string | undefined> {
  const seen = new Map<string, Seen>();
  const waiting = new Set<Seen>();
  const common = new Set<Seen>();
  let reads = 0;
  const lineOf = async (oid: string): Promise<Line | undefined> => {
    if (seen.size >= MOST_SEEN) return undefined;
    const key = answerKey(context, ['line', oid]);
    const known = context.answers.get(key) as Line | undefined;
    if (known || reads++ >= MOST_READ) return known;
    const object = await context.objects.read(oid);
    if (object?.type !== 'commit') return undefined;
    const line = { seconds: committedSeconds(object.content), parents: commitParentIds(object.content) };
    context.answers.set(key, line, LINE_WEIGHT);
    return line;
  };
  const paint = async (oid: string, flags: number): Promise<boolean> => {
    let commit = seen.get(oid);
    if (!commit) {
      const line = await lineOf(oid);
      if (!line) return false;
      commit = { oid, flags: 0, ...line };
      seen.set(oid, commit);
    }
    if ((commit.flags & flags) === flags) return true;
    commit.flags |= flags;
    waiting.add(commit);
    return true;
  };
  if (!(await paint(one, OF_ONE)) || !(await paint(other, OF_OTHER))) return undefined;
  for (let next = newest(waiting); next; next = newest(waiting)) {
    waiting.delete(next);
    let flags = next.flags;
    if ((flags & OF_BOTH) === OF_BOTH) {
      if ((flags & STALE) === 0) common.add(next);
      flags |= STALE;
    }
    for (const parent of next.parents) if (!(await paint(parent, flags))) return undefined;
  }
  const best = [...common].filter(({ flags }) => (flags & STALE) === 0);
  return best.length === 1 ? best[0]!.oid : undefined;
}

/** Undefined once all that wait are stale. */
function newest(waiting: ReadonlySet<Seen>): Seen | undefined {
  let found: Seen | undefined;
  let isFresh = false;
  for (const one of waiting) {
    if ((one.flags & STALE) === 0) isFresh = true;
    if (!found || one.seconds > found.seconds) found = one;
  }
  return isFresh ? found : undefined;
}
