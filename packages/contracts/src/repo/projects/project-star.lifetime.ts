import { UserDeleted } from '../../admin/users/user.events.ts';
import { begins, defineLifetime, endsWith } from '../../lifetime.ts';
import { ProjectDeleted } from './project.events.ts';
import { ProjectStarred, ProjectUnstarred } from './project-star.events.ts';

export const projectStarLifetime = defineLifetime({
  kind: 'ProjectStar',
  id: ['projectId', 'userId'],
  begins: [begins(ProjectStarred)],
  ends: [
    endsWith(ProjectUnstarred, ['projectId', 'userId']),
    endsWith(ProjectDeleted, ['projectId']),
    endsWith(UserDeleted, ['userId']),
  ],
});
