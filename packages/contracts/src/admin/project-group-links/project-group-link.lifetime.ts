import { begins, defineLifetime, endsWith } from '../../lifetime.ts';
import { ProjectDeleted } from '../../repo/projects/project.events.ts';
import { GroupDeleted } from '../groups/group.events.ts';
import { ProjectGroupLinkCreated, ProjectGroupLinkDeleted } from './project-group-link.events.ts';

export const projectGroupLinkLifetime = defineLifetime({
  kind: 'ProjectGroupLink',
  id: ['projectId', 'groupId'],
  begins: [begins(ProjectGroupLinkCreated)],
  ends: [
    endsWith(ProjectGroupLinkDeleted, ['projectId', 'groupId']),
    endsWith(ProjectDeleted, ['projectId'], { announcedBy: ProjectGroupLinkDeleted }),
    endsWith(GroupDeleted, ['groupId'], { announcedBy: ProjectGroupLinkDeleted }),
  ],
});
