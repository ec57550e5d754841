import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { Service } from '@forgelog/service-kit/service.ts';
import { activityEventRoutes } from './activity-events/activity-event.routes.ts';
import { activityEventsProjection } from './activity-events/activity-events.projection.ts';
import { discussionRoutes } from './discussions/discussion.routes.ts';
import { discussionsProjection } from './discussions/discussions.projection.ts';
import { noteRoutes } from './discussions/note.routes.ts';
import { closerReference } from './issues/closer.reference.ts';
import { issueRoutes } from './issues/issue.routes.ts';
import { issueListRoutes } from './issues/issue-list.routes.ts';
import { issuesProjection } from './issues/issues.projection.ts';
import { timeTrackingRoutes } from './time-tracking/time-tracking.routes.ts';
import { todoRoutes } from './todos/todo.routes.ts';

/** The tracker service: a line a slice. */
export function createTracker(ports: ServicePorts): Service {
  return {
    name: 'tracker',
    answersFromReadModels: true,
    implementations: [
      ...issueRoutes(ports),
      ...issueListRoutes(ports),
      ...timeTrackingRoutes(ports),
      ...todoRoutes(ports),
      ...discussionRoutes(ports),
      ...noteRoutes(ports),
      ...activityEventRoutes(ports),
    ],
    projections: [issuesProjection, discussionsProjection, activityEventsProjection],
    policies: [],
    references: [closerReference(ports.directory)],
  };
}
