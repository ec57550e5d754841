import { GroupDeleted } from '../../admin/groups/group.events.ts';
import { begins, changedBy, defineLifetime, endsWith } from '../../lifetime.ts';
import { ProjectDeleted } from '../projects/project.events.ts';
import {
  DebianDistributionCreated,
  DebianDistributionDeleted,
  DebianDistributionUpdated,
} from './debian-distribution.events.ts';

export const debianDistributionLifetime = defineLifetime({
  kind: 'DebianDistribution',
  id: ['debianDistributionId'],
  begins: [begins(DebianDistributionCreated)],
  changes: changedBy(DebianDistributionUpdated),
  ends: [
    endsWith(DebianDistributionDeleted, ['debianDistributionId']),
    endsWith(ProjectDeleted, ['projectId']),
    endsWith(GroupDeleted, ['groupId']),
  ],
});
