/** Reads a linear history from the commit objects, without a process. */
import { commitParentIds } from '../objects/commit-object.ts';
import { assertOid } from '../objects/object-id.ts';
import type { RepositoryContext } from '../repository-context.ts';
import { onlyMergeBase } from './only-merge-base.ts';

/** The most commits that are read before falling back to git. */
const FAR = 50;

/**
 * The commits after `from` up to `to`, newest first. Returns undefined if there is a merge, or `from` is not among the
 * first parents that are read.
 */
export async function linearRange(
  context: RepositoryContext,
  from: string,
  to: string,
): Promise<string[] | undefined> {
  const line: string[] = [];
  for (let oid = assertOid(to); oid !== assertOid(from); ) {
    const object = line.length < FAR ? await context.objects.read(oid) : undefined;
    if (object?.type !== 'commit') return undefined;
    const [parent, another] = commitParentIds(object.content);
    if (parent === undefined || another !== undefined) return undefined;
    line.push(oid);
    oid = parent;
  }
  return line;
}

/** Like `linearRange`, and also for a commit that merges a line into `from`: in any order of git's, that commit is first. */
export async function nearRange(
  context: RepositoryContext,
  from: string,
  to: string,
): Promise<string[] | undefined> {
  const line = await linearRange(context, from, to);
  if (line) return line;
  const object = await context.objects.read(to);
  const [first, second, third] = object?.type === 'commit' ? commitParentIds(object.content) : [];
  if (first !== from || second === undefined || third !== undefined) return undefined;
  const base = await onlyMergeBase(context, from, second);
  const merged = base === undefined ? undefined : await linearRange(context, base, second);
  return merged && [to, ...merged];
}
