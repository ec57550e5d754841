import type { Directory } from '@forgelog/directory/directory.ts';
import { and, type Condition, eq, not, oneOf, or } from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import type { LabelScope } from '../labels/label-filter.query.ts';
import { milestonesFor } from './milestone.query.ts';
import { endedMilestones, milestones } from './milestones.projection.ts';

const MOST = 1_000_000;

/** Finds targets of a list by the title of their milestone, `None` or `Any` [L256]. */
export type MilestoneFilter = (wanted: string) => Promise<Condition>;

export function milestoneFilter(
  { readStore, directory }: { readStore: ReadStore; directory: Directory },
  scope: LabelScope,
): MilestoneFilter {
  /** Milestones that targets in the scope can have. */
  async function inScope(): Promise<Condition> {
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

  async function among(where: Condition): Promise<Condition> {
    const found = await readStore.find(milestones, { where, limit: MOST, select: ['id'] });
    return oneOf(
      'milestoneId',
      found.map(({ id }) => id),
    );
  }

  async function any(): Promise<Condition> {
    const scope = await inScope();
    // As long as none was deleted, whatever has the id of one has a milestone.
    if ((await readStore.count(endedMilestones, { where: scope, atMost: 1 })) === 0)
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
