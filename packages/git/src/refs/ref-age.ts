/** Sorts refs by commit time, and again once one of them moved. */
import { committedSeconds } from '../objects/commit-object.ts';
import { peelToCommit } from '../objects/revision.ts';
import { answerKey } from '../process/memoize.ts';
import type { RepositoryContext } from '../repository-context.ts';
import { listRefs, type Ref } from './ref-store.ts';

/** `seconds` is the commit time; 0 if the ref does not name a commit. */
export type DatedRef = Ref & { seconds: number };

interface Ages {
  refs: readonly Ref[];
  ordered: readonly DatedRef[];
  /** By object id. */
  seconds: Map<string, number>;
}

const AT_ONCE = 256;
/** Approximate bytes in memory per ref. */
const REF_BYTES = 200;

/**
 * Lists refs by commit time, oldest first, then by name; those that are no commits come first. Returns the same array
 * until one of them moves.
 */
export async function refsByAge(context: RepositoryContext, prefix: string): Promise<readonly DatedRef[]> {
  const refs = await listRefs(context, prefix);
  const key = answerKey(context, ['ages', prefix]);
  const known = context.answers.get(key) as Ages | undefined;
  if (known?.refs === refs) return known.ordered;
  const seconds = new Map<string, number>();
  for (let from = 0; from < refs.length; from += AT_ONCE) {
    const some = refs.slice(from, from + AT_ONCE);
    const times = await Promise.all(
      some.map(({ oid }) => known?.seconds.get(oid) ?? committedAt(context, oid)),
    );
    times.forEach((time, at) => {
      seconds.set(some[at]!.oid, time);
    });
  }
  // The sort is stable, so equal times stay in the order of names.
  const ordered = refs
    .map(({ ref, oid }) => ({ ref, oid, seconds: seconds.get(oid)! }))
    .sort((a, b) => a.seconds - b.seconds);
  context.answers.set(key, { refs, ordered, seconds } satisfies Ages, REF_BYTES * (refs.length + 2));
  return ordered;
}

async function committedAt(context: RepositoryContext, oid: string): Promise<number> {
  const commit = await peelToCommit(context, oid);
  if (commit === undefined) return 0;
  return committedSeconds(await context.objects.need(commit, 'commit'));
}
