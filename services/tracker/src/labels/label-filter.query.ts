import type { Directory } from '@forgelog/directory/directory.ts';
import {
  and,
  asc,
  type Condition,
  eq,
  hasAny,
  isEmpty,
  not,
  oneOf,
  or,
  range,
} from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import { labelsFor } from './label.query.ts';
import { endedLabels, labels } from './labels.projection.ts';

/** Which targets a list is about: those of a project, of what is below a group, or of the instance. */
export type LabelScope = { projectId: number } | { groupId: number } | null;

/** How lists find targets by their labels. */
export interface LabelFilter {
  /** Those with a label of this title. */
  titled(title: string): Promise<Condition>;
  /** Those with any label. */
  labelled(): Promise<Condition>;
}

const MOST = 1_000_000;

type Ports = { readStore: ReadStore; directory: Directory };

/** Labels that targets in the scope can have. */
async function labelsIn({ directory }: Ports, scope: LabelScope): Promise<Condition> {
  if (scope === null) return and();
  if ('projectId' in scope) return labelsFor(directory, { projectId: scope.projectId, groupId: null });
  const { groupId } = scope;
  const [projects, groups] = [await directory.projectsBelow(groupId), await directory.groupsBelow(groupId)];
  return or(
    await labelsFor(directory, { projectId: null, groupId }),
    oneOf('projectId', projects),
    oneOf('groupId', groups),
  );
}

/** What has a label of lower priority than so many others is listed as if it had none. */
const MOST_PRIORITISED = 1000;

/** The ids of labels by their priority, the lowest number first, with those that they took the place of. */
export async function prioritisedLabels(ports: Ports, scope: LabelScope): Promise<Map<number, number[]>> {
  const { readStore } = ports;
  const found = await readStore.find(labels, {
    where: and(range('priority', { gte: 0 }), await labelsIn(ports, scope)),
    sort: [asc('priority')],
    limit: MOST_PRIORITISED,
    select: ['id', 'priority'],
  });
  const ids = found.map(({ id }) => id);
  const replaced = await readStore.find(endedLabels, {
    where: oneOf('replacedById', ids),
    limit: MOST,
    select: ['id', 'replacedById'],
  });
  const former = Map.groupBy(replaced, ({ replacedById }) => replacedById!);
  const byPriority = new Map<number, number[]>();
  for (const { id, priority } of found) {
    const same = byPriority.get(priority!) ?? [];
    byPriority.set(priority!, [...same, id, ...(former.get(id) ?? []).map(({ id }) => id)]);
  }
  return byPriority;
}

export function labelFilter(ports: Ports, scope: LabelScope): LabelFilter {
  const { readStore } = ports;
  const inScope = () => labelsIn(ports, scope);

  const idsOf = async (where: Condition): Promise<number[]> =>
    (await readStore.find(labels, { where, limit: MOST, select: ['id'] })).map(({ id }) => id);

  /** With the ids of labels that these took the place of. */
  async function withReplaced(ids: readonly number[]): Promise<Condition> {
    if (ids.length === 0) return or();
    const replaced = await readStore.find(endedLabels, {
      where: oneOf('replacedById', ids),
      limit: MOST,
      select: ['id'],
    });
    return hasAny('labelIds', [...ids, ...replaced.map(({ id }) => id)]);
  }

  return {
    titled: async (title) => withReplaced(await idsOf(and(eq('title', title), await inScope()))),
    async labelled() {
      const gone = and(eq('replacedById', null), await inScope());
      // As long as none was deleted, whatever has the id of one has a label.
      if ((await readStore.count(endedLabels, { where: gone, atMost: 1 })) === 0)
        return not(isEmpty('labelIds'));
      return withReplaced(await idsOf(await inScope()));
    },
  };
}
