import { Rejection } from '@forgelog/contracts/errors.ts';
import type { ProjectSummary } from '@forgelog/service-kit/access.ts';
import type { RepoPorts } from '../ports.ts';

type Place = Pick<ProjectSummary, 'id' | 'storage'>;

/**
 * A repository is read by the instance of its storage alone. A fork is always on the storage of its origin.
 * @throws 400
 */
export function requireSameStorage(one: Place, other: Place): void {
  if (one.storage !== other.storage)
    throw new Rejection('refused', {
      message: 'The repositories of the two projects are on different storages, so commits cannot be shared',
    });
}

/**
 * Makes commits or tags of one project available in another, with all that they reach, so that a ref of `target` can
 * name them. It copies only what `target` lacks, never through HTTP, and moves no ref. Housekeeping drops no object, so
 * they stay without a ref. Rights are the caller's to check.
 * @throws 400 for different storages; GitError if `source` lacks an object
 */
export async function bringCommits(
  { repositories }: Pick<RepoPorts, 'repositories'>,
  { source, target, oids, signal }: { source: Place; target: Place; oids: string[]; signal?: AbortSignal },
): Promise<void> {
  if (source.id === target.id) return;
  requireSameStorage(source, target);
  const release = await repositories.write(target.id);
  try {
    await repositories.of(target.id).copyObjectsFrom(repositories.of(source.id), oids, signal);
  } finally {
    release();
  }
}
