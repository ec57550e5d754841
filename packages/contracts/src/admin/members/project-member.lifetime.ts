import { begins, changedBy, defineLifetime, endsWith } from '../../lifetime.ts';
import { ProjectDeleted } from '../../repo/projects/project.events.ts';
import { UserDeleted } from '../users/user.events.ts';
import { ProjectMemberAdded, ProjectMemberChanged, ProjectMemberRemoved } from './project-member.events.ts';

export const projectMembershipLifetime = defineLifetime({
  kind: 'ProjectMembership',
  id: ['projectId', 'userId'],
  begins: [begins(ProjectMemberAdded)],
  changes: changedBy(ProjectMemberChanged),
  ends: [
    endsWith(ProjectMemberRemoved, ['projectId', 'userId']),
    endsWith(ProjectDeleted, ['projectId'], { announcedBy: ProjectMemberRemoved }),
    endsWith(UserDeleted, ['userId'], { announcedBy: ProjectMemberRemoved }),
  ],
});
