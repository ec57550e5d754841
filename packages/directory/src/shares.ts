import { and } from '@forgelog/eventing/query.ts';
import type { AnyCollection, DocumentOf, ReadStore } from '@forgelog/eventing/read-store.ts';
import { ReadThrough } from '@forgelog/eventing/read-through.ts';

/** What the members of a group may do in a project or another group, up to a level. */
export interface Share {
  /** Id of the project or group that is shared. */
  placeId: number;
  /** Id of the group whose members have access. */
  groupId: number;
  accessLevel: number;
  expiresAt: string | null;
}

interface Shares {
  byPlace: ReadonlyMap<number, readonly Share[]>;
  byGroup: ReadonlyMap<number, readonly Share[]>;
}

const MOST = 1_000_000;

/** The shares of one kind, all in memory: few projects and groups are shared. */
export function createShares<C extends AnyCollection>(
  readStore: ReadStore,
  collection: C,
  shareOf: (link: DocumentOf<C>) => Share,
  today: () => string,
) {
  const known = new ReadThrough<'all', Shares>(1);

  async function read(): Promise<Shares> {
    const links = await readStore.find(collection, { where: and(), limit: MOST });
    const shares = links.map((link) => shareOf(link as DocumentOf<C>));
    return {
      byPlace: Map.groupBy(shares, ({ placeId }) => placeId),
      byGroup: Map.groupBy(shares, ({ groupId }) => groupId),
    };
  }

  const all = async () => (await known.read('all', read))!;
  const lasting = (shares: readonly Share[] = []) =>
    shares.filter(({ expiresAt }) => expiresAt === null || expiresAt > today());

  return {
    of: async (placeId: number) => lasting((await all()).byPlace.get(placeId)),
    withGroup: async (groupId: number) => lasting((await all()).byGroup.get(groupId)),
    groups: async () => [...(await all()).byGroup.keys()],
    forget: () => known.forgetAll(),
  };
}
