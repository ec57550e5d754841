import {
  findContributedProjects,
  MOST_CONTRIBUTED,
} from '@forgelog/contracts/tracker/activity-events/activity-event.operations.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, desc, eq, not, oneOf, range } from '@forgelog/eventing/query.ts';
import { implementOperation, type OperationImplementation } from '@forgelog/service-kit/operations.ts';
import { activityEvents } from './activity-events.collection.ts';

/** The newest events of a user that are looked through. */
const MOST_EVENTS = 100_000;

export const activityEventOperations = ({ readStore }: ServicePorts): OperationImplementation[] => [
  implementOperation(findContributedProjects, async ({ request: { userId, since } }) => {
    const rows = await readStore.find(activityEvents, {
      // Whoever comes or goes contributes nothing by that. What not all may see betrays itself by no project.
      where: and(
        eq('authorId', userId),
        range('createdAt', { gte: since }),
        eq('confidential', false),
        eq('noteConfidential', false),
        not(oneOf('action', ['joined', 'left', 'expired'])),
      ),
      sort: [desc('createdAt')],
      limit: MOST_EVENTS,
      select: ['projectId'],
    });
    const projectIds = [...new Set(rows.map(({ projectId }) => projectId))];
    return { projectIds: projectIds.slice(0, MOST_CONTRIBUTED) };
  }),
];
