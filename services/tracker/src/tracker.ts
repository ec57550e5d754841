import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { Service } from '@forgelog/service-kit/service.ts';
import { composeService } from '@forgelog/service-kit/slice.ts';
import { activityEvents } from './activity-events/activity-event.slice.ts';
import { discussions } from './discussions/discussion.slice.ts';
import { issues } from './issues/issue.slice.ts';
import { timeTracking } from './time-tracking/time-tracking.slice.ts';
import { todos } from './todos/todo.slice.ts';

/** The tracker service: a line a slice. */
export const createTracker = (ports: ServicePorts): Service => ({
  ...composeService('tracker', ports, [issues, timeTracking, todos, discussions, activityEvents]),
  answersFromReadModels: true,
});
