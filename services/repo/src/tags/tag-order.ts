import type { Repository } from '../git/git.ts';

/** Commits that are read at once. */
const AT_ONCE = 256;

/** Tags by the time of the commits that they name, the oldest first; then by name. Tags of no commit come first. */
export async function tagsByAge<T extends { name: string; oid: string }>(
  repository: Repository,
  tags: readonly T[],
): Promise<T[]> {
  const dated: { tag: T; seconds: number }[] = [];
  for (let from = 0; from < tags.length; from += AT_ONCE) {
    const some = tags.slice(from, from + AT_ONCE);
    dated.push(
      ...(await Promise.all(
        some.map(async (tag) => {
          const oid = await repository.peelToCommit(tag.oid);
          const commit = oid === undefined ? undefined : await repository.commit(oid);
          return { tag, seconds: commit?.committer.date.seconds ?? 0 };
        }),
      )),
    );
  }
  // The names came in their order, and sorting keeps it among equals.
  return dated.sort((a, b) => a.seconds - b.seconds).map(({ tag }) => tag);
}
