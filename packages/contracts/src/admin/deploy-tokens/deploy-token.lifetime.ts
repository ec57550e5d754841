import { begins, defineLifetime, endsWith } from '../../lifetime.ts';
import { ProjectDeleted } from '../../repo/projects/project.events.ts';
import { GroupDeleted } from '../groups/group.events.ts';
import { DeployTokenCreated, DeployTokenDeleted } from './deploy-token.events.ts';

export const deployTokenLifetime = defineLifetime({
  kind: 'DeployToken',
  id: ['deployTokenId'],
  begins: [begins(DeployTokenCreated)],
  ends: [
    endsWith(DeployTokenDeleted, ['deployTokenId']),
    endsWith(ProjectDeleted, ['projectId']),
    endsWith(GroupDeleted, ['groupId']),
  ],
});
