import { begins, changedBy, defineLifetime, endsWith } from '../../lifetime.ts';
import { ProjectDeleted } from '../../repo/projects/project.events.ts';
import { ErrorTrackingClientKeyCreated, ErrorTrackingClientKeyDeleted } from './client-key.events.ts';
import { ErrorTrackingCreated, ErrorTrackingUpdated } from './error-tracking.events.ts';
import {
  TrackedErrorCreated,
  TrackedErrorDeleted,
  TrackedErrorReopened,
  TrackedErrorSeen,
  TrackedErrorUpdated,
} from './tracked-error.events.ts';

export const errorTrackingLifetime = defineLifetime({
  kind: 'ErrorTracking',
  id: ['projectId'],
  begins: [begins(ErrorTrackingCreated)],
  changes: changedBy(ErrorTrackingUpdated),
  ends: [endsWith(ProjectDeleted, ['projectId'])],
});

export const clientKeyLifetime = defineLifetime({
  kind: 'ErrorTrackingClientKey',
  id: ['errorTrackingClientKeyId'],
  begins: [begins(ErrorTrackingClientKeyCreated)],
  ends: [
    endsWith(ErrorTrackingClientKeyDeleted, ['errorTrackingClientKeyId']),
    endsWith(ProjectDeleted, ['projectId']),
  ],
});

export const trackedErrorLifetime = defineLifetime({
  kind: 'TrackedError',
  id: ['trackedErrorId'],
  begins: [begins(TrackedErrorCreated, { fixed: { status: 'unresolved', occurrences: 1 } })],
  changes: changedBy(TrackedErrorSeen, TrackedErrorReopened, TrackedErrorUpdated),
  ends: [endsWith(TrackedErrorDeleted, ['trackedErrorId']), endsWith(ProjectDeleted, ['projectId'])],
});
