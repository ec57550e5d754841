/** Refs in the order of the commits that they name: put in order once, and again when one of them moved. */
import { committedSeconds } from '../objects/commit-object.ts';
import { peelToCommit } from '../objects/revision.ts';
import { answerKey } from '../process/memoize.ts';
import type { RepositoryContext } from '../repository-context.ts';
import { listRefs, type Ref } from './ref-store.ts';

/** `seconds`: when the commit that it names was committed; 0 for what is no commit. */
export type DatedRef = Ref & { seconds: number };

interface Ages {
  /** What was put in order, and how. */
  refs: readonly Ref[];
  ordered: readonly DatedRef[];
  /** By the id that a ref points to. */
  seconds: Map<string, number>;
}

/** Objects that are read at once. */
const AT_ONCE = 256;
/** Bytes in memory, about, of a ref in both. */
const REF_BYTES = 200;

/**
 * Refs under a prefix by the time of the commits that they name, the oldest first; then by name. Those of no commit come
 * first. The same array as long as none of them moved.
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
  // The names came in their order, and sorting keeps it among equals.
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
