import { and } from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import { ReadThrough } from '@forgelog/eventing/read-through.ts';
import { type DirectoryProjectLink, directoryProjectLinks } from './collections.ts';

interface Shares {
  byProject: ReadonlyMap<number, readonly DirectoryProjectLink[]>;
  byGroup: ReadonlyMap<number, readonly DirectoryProjectLink[]>;
}

const MOST = 1_000_000;

/** Groups that projects are shared with, all in memory: few projects are. */
export function createProjectShares(readStore: ReadStore, today: () => string) {
  const known = new ReadThrough<'all', Shares>(1);

  async function read(): Promise<Shares> {
    const links = await readStore.find(directoryProjectLinks, { where: and(), limit: MOST });
    return {
      byProject: Map.groupBy(links, ({ projectId }) => projectId),
      byGroup: Map.groupBy(links, ({ groupId }) => groupId),
    };
  }

  const all = async () => (await known.read('all', read))!;
  const lasting = (links: readonly DirectoryProjectLink[] = []) =>
    links.filter(({ expiresAt }) => expiresAt === null || expiresAt > today());

  return {
    ofProject: async (projectId: number) => lasting((await all()).byProject.get(projectId)),
    withGroup: async (groupId: number) => lasting((await all()).byGroup.get(groupId)),
    groups: async () => [...(await all()).byGroup.keys()],
    forget: () => known.forgetAll(),
  };
}
