import type { Directory } from '@forgelog/directory/directory.ts';
import { and, asc, type Condition, desc, eq, not, oneOf, or } from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import type { LabelScope } from '../labels/label-filter.query.ts';
import { idsStandingFor, milestonesFor } from './milestone.query.ts';
import { endedMilestones, milestones } from './milestones.projection.ts';

const MOST = 1_000_000;

type Ports = { readStore: ReadStore; directory: Directory };

/** Milestones that targets in the scope can have. */
async function milestonesIn({ directory }: Ports, scope: LabelScope): Promise<Condition> {
  if (scope === null) return and();
  if ('projectId' in scope) return milestonesFor(directory, { projectId: scope.projectId, groupId: null });
  const { groupId } = scope;
  const [projects, groups] = [await directory.projectsBelow(groupId), await directory.groupsBelow(groupId)];
  return or(
    await milestonesFor(directory, { projectId: null, groupId }),
    oneOf('projectId', projects),
    oneOf('groupId', groups),
  );
}

/** What has a milestone behind so many others in the order is listed as if it were never due. */
const MOST_DUE = 1000;

/** The ids of milestones by the day on which they are due, in this order of days. */
export async function dueMilestones(
  ports: Ports,
  scope: LabelScope,
  direction: 'asc' | 'desc',
): Promise<Map<string, number[]>> {
  const found = await ports.readStore.find(milestones, {
    where: and(not(eq('dueDate', null)), await milestonesIn(ports, scope)),
    sort: [direction === 'asc' ? asc('dueOrder') : desc('dueOrder')],
    limit: MOST_DUE,
    select: ['id', 'dueDate'],
  });
  const byDay = new Map<string, number[]>();
  const standing = await idsStandingFor(
    ports.readStore,
    found.map(({ id }) => id),
  );
  for (const { id, dueDate } of found)
    byDay.set(dueDate!, [...(byDay.get(dueDate!) ?? []), ...standing.get(id)!]);
  return byDay;
}

/** Finds targets of a list by the title of their milestone, `None` or `Any` [L256]. */
export type MilestoneFilter = (wanted: string) => Promise<Condition>;

export function milestoneFilter(ports: Ports, scope: LabelScope): MilestoneFilter {
  const { readStore } = ports;
  const inScope = () => milestonesIn(ports, scope);

  async function among(where: Condition): Promise<Condition> {
    const found = await readStore.find(milestones, { where, limit: MOST, select: ['id'] });
    const ids = found.map(({ id }) => id);
    return oneOf('milestoneId', [...(await idsStandingFor(readStore, ids)).values()].flat());
  }

  async function any(): Promise<Condition> {
    const scope = await inScope();
    const gone = and(eq('replacedById', null), scope);
    // As long as none was deleted, whatever has the id of one has a milestone.
    if ((await readStore.count(endedMilestones, { where: gone, atMost: 1 })) === 0)
      return not(eq('milestoneId', null));
    return among(scope);
  }

  return async (wanted) => {
    const word = wanted.toLowerCase();
    if (word === 'any') return any();
    if (word === 'none') return not(await any());
    return among(and(eq('title', wanted), await inScope()));
  };
}
