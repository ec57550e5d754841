import type { milestoneView } from '@forgelog/contracts/tracker/milestones/milestone.api.ts';
import {
  describeMilestones,
  findMilestones,
} from '@forgelog/contracts/tracker/milestones/milestone.operations.ts';
import { createAuthorizer } from '@forgelog/directory/authorizer.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, type Condition, eq, oneOf } from '@forgelog/eventing/query.ts';
import { implementOperation, type OperationImplementation } from '@forgelog/service-kit/operations.ts';
import type { z } from 'zod';
import { issuesAcross } from '../issues/issue.access.ts';
import { issues } from '../issues/issues.collection.ts';
import { knownMilestones } from './milestone.placeholder.ts';
import { idsStandingFor, milestonesFor } from './milestone.query.ts';
import { milestones } from './milestones.projection.ts';

const MOST_FOUND = 10_000;
/** Issues of a milestone are counted so far. */
const MOST_COUNTED = 100_000;

/** What repo needs of milestones for its releases. */
export function milestoneOperations(ports: ServicePorts): OperationImplementation[] {
  const { directory, readStore } = ports;
  const authorizer = createAuthorizer(directory);
  const known = knownMilestones(ports);
  const countOf = (where: Condition) => readStore.count(issues, { where, atMost: MOST_COUNTED });

  return [
    implementOperation(findMilestones, async ({ request: { projectId, titles }, principal }) => {
      const grant = await authorizer.project(String(projectId), principal);
      if (!grant?.can('issues') && !grant?.can('merge_requests')) return { milestones: [] };
      const of = await milestonesFor(directory, { projectId, groupId: null });
      const where = and(oneOf('title', titles), of);
      const found = await readStore.find(milestones, { where, limit: MOST_FOUND });
      const byTitle = new Map<string, { id: number; title: string }>();
      for (const { id, title, projectId: own } of found)
        if (own !== null || !byTitle.has(title)) byTitle.set(title, { id, title });
      return { milestones: [...byTitle.values()] };
    }),

    implementOperation(describeMilestones, async ({ request: { ids }, principal }) => {
      const { where: readable } = await issuesAcross(ports, principal, { archived: true, within: null });
      const shown = [];
      for (const askedId of new Set(ids)) {
        const milestone = JSON.parse((await known.read(askedId)) ?? 'null') as z.output<
          typeof milestoneView
        > | null;
        if (!milestone) continue;
        const { id } = milestone;
        const standing = await idsStandingFor(readStore, [id]);
        const where = and(oneOf('milestoneId', standing.get(id)!), readable);
        const [total, closed] = await Promise.all([
          countOf(where),
          countOf(and(where, eq('state', 'closed'))),
        ]);
        shown.push({ askedId, milestone: { ...milestone, issue_stats: { total, closed } } });
      }
      return { milestones: shown };
    }),
  ];
}
