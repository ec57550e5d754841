import { isOid } from '@forgelog/git/objects/object-id.ts';
import type { RepositoryReads } from '@forgelog/git/repository-reads.ts';
import { MAX_COUNTED, type PageRequest, pageOfSnapshot } from '@forgelog/service-kit/pagination.ts';

/**
 * A page of what commits hold. Keyset pages stay at the commits of the first one, wherever branches and tags move
 * meanwhile; where these commits are gone they are refused.
 */
export async function pageOfCommits<T>(
  repository: RepositoryReads,
  page: PageRequest,
  list: {
    /** Names the list among all that the endpoint can give of the same commits. */
    name: readonly unknown[];
    /** Ids of the commits that the list is made of now, `^` before those whose history is left out. */
    commits(): Promise<readonly string[]>;
    read(
      commits: readonly string[],
      offset: number,
    ): Promise<{ items: T[]; total: number | null; more: boolean }>;
  },
) {
  return pageOfSnapshot(page, {
    name: list.name,
    current: async () => (await list.commits()).join(' '),
    isThere: async (made) => {
      const oids = oidsOf(made).map((oid) => oid.replace('^', ''));
      const there = await Promise.all(oids.map((oid) => isOid(oid) && repository.commit(oid)));
      return there.every(Boolean);
    },
    read: (made, offset) => list.read(oidsOf(made), offset),
  });
}

/** What a page shows of a list that is read whole. */
export const partOf = <T>(items: readonly T[], offset: number, size: number) => ({
  items: items.slice(offset, offset + size),
  total: items.length > MAX_COUNTED ? null : items.length,
  more: items.length > offset + size,
});

const oidsOf = (made: string): string[] => (made === '' ? [] : made.split(' '));
