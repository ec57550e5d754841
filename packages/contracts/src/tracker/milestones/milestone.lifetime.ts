import { GroupDeleted } from '../../admin/groups/group.events.ts';
import { begins, changedBy, defineLifetime, endsWith } from '../../lifetime.ts';
import { ProjectDeleted } from '../../repo/projects/project.events.ts';
import { MilestoneCreated, MilestoneDeleted, MilestoneUpdated } from './milestone.events.ts';

export const milestoneLifetime = defineLifetime({
  kind: 'Milestone',
  id: ['milestoneId'],
  begins: [begins(MilestoneCreated)],
  changes: changedBy(MilestoneUpdated),
  ends: [
    endsWith(MilestoneDeleted, ['milestoneId']),
    endsWith(ProjectDeleted, ['projectId']),
    endsWith(GroupDeleted, ['groupId']),
  ],
});
