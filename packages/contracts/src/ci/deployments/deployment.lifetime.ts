import { begins, changedBy, defineLifetime, endsWith } from '../../lifetime.ts';
import { ProjectDeleted } from '../../repo/projects/project.events.ts';
import { EnvironmentDeleted } from '../environments/environment.events.ts';
import { DeploymentCreated, DeploymentUpdated } from './deployment.events.ts';

export const deploymentLifetime = defineLifetime({
  kind: 'Deployment',
  id: ['deploymentId'],
  begins: [begins(DeploymentCreated)],
  changes: changedBy(DeploymentUpdated),
  ends: [endsWith(EnvironmentDeleted, ['environmentId']), endsWith(ProjectDeleted, ['projectId'])],
});
