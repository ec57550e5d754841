import type { Repository } from '../git/git.ts';

/** Commits that are read at once. */
const AT_ONCE = 256;

/** A tag with the time of the commit that it names, in seconds. */
export interface DatedTag {
  name: string;
  seconds: number;
}

/** Where the time does not matter. */
export const ageless = ({ name }: { name: string }): DatedTag => ({ name, seconds: 0 });

/** Tags by the time of the commits that they name, the oldest first; then by name. Tags of no commit come first. */
export async function tagsByAge(
  repository: Repository,
  tags: readonly { name: string; oid: string }[],
): Promise<DatedTag[]> {
  const dated: DatedTag[] = [];
  for (let from = 0; from < tags.length; from += AT_ONCE) {
    const some = tags.slice(from, from + AT_ONCE);
    dated.push(
      ...(await Promise.all(
        some.map(async ({ name, oid }) => {
          const commitOid = await repository.peelToCommit(oid);
          const commit = commitOid === undefined ? undefined : await repository.commit(commitOid);
          return { name, seconds: commit?.committer.date.seconds ?? 0 };
        }),
      )),
    );
  }
  // The names came in their order, and sorting keeps it among equals.
  return dated.sort((a, b) => a.seconds - b.seconds);
}
