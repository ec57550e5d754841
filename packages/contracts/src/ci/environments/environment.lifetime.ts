import { begins, changedBy, defineLifetime, endsWith } from '../../lifetime.ts';
import { ProjectDeleted } from '../../repo/projects/project.events.ts';
import {
  EnvironmentCreated,
  EnvironmentDeleted,
  EnvironmentDeletionScheduled,
  EnvironmentDeployed,
  EnvironmentStopped,
  EnvironmentUpdated,
} from './environment.events.ts';

export const environmentLifetime = defineLifetime({
  kind: 'Environment',
  id: ['environmentId'],
  begins: [begins(EnvironmentCreated, { fixed: { state: 'available' } })],
  changes: changedBy(
    EnvironmentUpdated,
    EnvironmentDeployed,
    EnvironmentStopped,
    EnvironmentDeletionScheduled,
  ),
  ends: [endsWith(EnvironmentDeleted, ['environmentId']), endsWith(ProjectDeleted, ['projectId'])],
});
