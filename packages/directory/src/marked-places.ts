import { hasAny, or, range } from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import { ReadThrough } from '@forgelog/eventing/read-through.ts';
import { directoryNamespaces, directoryProjects } from './collections.ts';

/** Ids of the groups and projects that are marked for deletion, and of all that are in such groups. */
export interface MarkedPlaces {
  groups: ReadonlySet<number>;
  projects: ReadonlySet<number>;
}

const MOST = 1_000_000;

/** All in memory, as few are marked. What is in a marked group is found by its ancestors, so a mark is one write. */
export function createMarkedPlaces(readStore: ReadStore) {
  const known = new ReadThrough<'all', MarkedPlaces>(1);

  async function read(): Promise<MarkedPlaces> {
    const isMarked = range('deletionDueAt', { gte: '' });
    const ids = async (collection: typeof directoryNamespaces | typeof directoryProjects, where = isMarked) =>
      (await readStore.find(collection, { where, limit: MOST, select: ['id'] })).map(({ id }) => id);
    const top = await ids(directoryNamespaces);
    const isBelow = hasAny('ancestors', top);
    const groups = top.length === 0 ? [] : await ids(directoryNamespaces, isBelow);
    const projects = await ids(directoryProjects, top.length === 0 ? isMarked : or(isMarked, isBelow));
    return { groups: new Set(groups), projects: new Set(projects) };
  }

  return {
    all: () => known.get('all') ?? known.read('all', read).then((marked) => marked!),
    forget: () => known.forgetAll(),
  };
}
