import type { RepositoryReads } from '@forgelog/git/repository-reads.ts';

/** A ref in an address has at most this many parts. */
const MOST_PARTS = 20;

/**
 * Splits `release/1.0/docs/a.md` into ref and path: the longest branch or tag that it begins with, else its first part
 * is a commit.
 */
export async function splitAddress(
  repository: Pick<RepositoryReads, 'readRef'>,
  address: string,
): Promise<{ ref: string; path: string }> {
  const parts = address.split('/');
  const at = (count: number) => ({
    ref: parts.slice(0, count).join('/'),
    path: parts.slice(count).join('/'),
  });
  for (let count = Math.min(parts.length - 1, MOST_PARTS); count > 0; count--) {
    const { ref } = at(count);
    // A part of a path can be a name that no ref may have.
    for (const folder of ['refs/heads/', 'refs/tags/'])
      if ((await repository.readRef(folder + ref).catch(() => undefined)) !== undefined) return at(count);
  }
  return at(1);
}
