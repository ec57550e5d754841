import { begins, changedBy, defineLifetime, endsWith } from '../../lifetime.ts';
import { ProjectDeleted } from '../../repo/projects/project.events.ts';
import {
  DeployKeyAccessUpdated,
  DeployKeyCreated,
  DeployKeyDeleted,
  DeployKeyDisabledForProject,
  DeployKeyEnabledForProject,
  DeployKeyUpdated,
} from './deploy-key.events.ts';

export const deployKeyLifetime = defineLifetime({
  kind: 'DeployKey',
  id: ['deployKeyId'],
  begins: [begins(DeployKeyCreated)],
  changes: changedBy(DeployKeyUpdated),
  ends: [endsWith(DeployKeyDeleted, ['deployKeyId'])],
});

export const deployKeyProjectLifetime = defineLifetime({
  kind: 'DeployKeyProject',
  id: ['deployKeyId', 'projectId'],
  begins: [begins(DeployKeyEnabledForProject)],
  changes: changedBy(DeployKeyAccessUpdated),
  ends: [
    endsWith(DeployKeyDisabledForProject, ['deployKeyId', 'projectId']),
    endsWith(ProjectDeleted, ['projectId'], { announcedBy: DeployKeyDisabledForProject }),
  ],
});
