import type { Directory } from '@forgelog/directory/directory.ts';
import { and, type Condition, hasAny, not, oneOf } from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import type { Ranking } from '@forgelog/service-kit/pagination.ts';
import { type LabelScope, prioritisedLabels } from '../labels/label-filter.query.ts';
import { dueMilestones } from '../milestones/milestone-filter.query.ts';

/* Orders by what issues only name: the day that their milestone is due, and the priorities of their labels. */

interface Asked {
  order_by: string;
  sort: 'asc' | 'desc';
}

type Ports = { readStore: ReadStore; directory: Directory };

/** None where issues hold what the order goes by. */
export async function rankingsFor(
  ports: Ports,
  scope: LabelScope,
  { order_by: by, sort }: Asked,
): Promise<readonly Ranking[]> {
  switch (by) {
    case 'milestone_due':
      return [await byMilestone(ports, scope, sort)];
    case 'label_priority':
      return [await byLabels(ports, scope, sort)];
    case 'priority':
      return [await byMilestone(ports, scope, sort), await byLabels(ports, scope, sort)];
    default:
      return [];
  }
}

async function byMilestone(ports: Ports, scope: LabelScope, direction: Asked['sort']): Promise<Ranking> {
  const due = await dueMilestones(ports, scope, direction);
  const ids = [...due.values()].flat();
  return {
    name: 'milestone_due',
    direction,
    ranks: [...due].map(([key, ids]) => ({ key, where: oneOf('milestoneId', ids) })),
    rest: not(oneOf('milestoneId', ids)),
  };
}

/** The lowest number among the labels of an issue counts. */
async function byLabels(ports: Ports, scope: LabelScope, direction: Asked['sort']): Promise<Ranking> {
  const prioritised = await prioritisedLabels(ports, scope);
  const better: number[] = [];
  const ranks: { key: number; where: Condition }[] = [];
  for (const [key, ids] of prioritised) {
    ranks.push({ key, where: and(hasAny('labelIds', ids), not(hasAny('labelIds', [...better]))) });
    better.push(...ids);
  }
  return {
    name: 'label_priority',
    direction,
    ranks: direction === 'asc' ? ranks : ranks.toReversed(),
    rest: not(hasAny('labelIds', better)),
  };
}
