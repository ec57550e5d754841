import { isOid } from '@forgelog/git/objects/object-id.ts';
import type { RepositoryReads } from '@forgelog/git/repository-reads.ts';
import { MAX_COUNTED, type PageRequest, pageOfSnapshot } from '@forgelog/service-kit/pagination.ts';

/**
 * Pages a list computed from commits. A keyset cursor holds the commits of the first page, so moving refs do not shift
 * pages. If these commits are gone, the cursor is refused.
 */
export async function pageOfCommits<T>(
  repository: RepositoryReads,
  page: PageRequest,
  list: {
    /** Identifies the list among those of this endpoint. */
    name: readonly unknown[];
    /** The ids of the commits the list starts at, with `^` before excluded ones. */
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

export const partOf = <T>(items: readonly T[], offset: number, size: number) => ({
  items: items.slice(offset, offset + size),
  total: items.length > MAX_COUNTED ? null : items.length,
  more: items.length > offset + size,
});

const oidsOf = (made: string): string[] => (made === '' ? [] : made.split(' '));
