import { begins, changedBy, defineLifetime, endsWith } from '../../lifetime.ts';
import { ProjectDeleted } from '../../repo/projects/project.events.ts';
import { ErrorTrackingCreated, ErrorTrackingUpdated } from './error-tracking.events.ts';

export const errorTrackingLifetime = defineLifetime({
  kind: 'ErrorTracking',
  id: ['projectId'],
  begins: [begins(ErrorTrackingCreated)],
  changes: changedBy(ErrorTrackingUpdated),
  ends: [endsWith(ProjectDeleted, ['projectId'])],
});
