/** The history between two commits where nothing was merged: read from the commits themselves, without a process. */
import { commitParentIds } from '../objects/commit-object.ts';
import { assertOid } from '../objects/object-id.ts';
import type { RepositoryContext } from '../repository-context.ts';

/** Commits that are looked at before git is asked after all. */
const FAR = 50;

/**
 * The commits after `from` up to `to`, newest first, where each has one parent; undefined where there was a merge,
 * where `from` lies elsewhere, or further back than is looked.
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
