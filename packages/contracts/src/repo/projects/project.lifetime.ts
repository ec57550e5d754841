import { GroupDeleted } from '../../admin/groups/group.events.ts';
import { UserDeleted } from '../../admin/users/user.events.ts';
import { begins, changedBy, defineLifetime, endsWith } from '../../lifetime.ts';
import { RepositoryMoved } from '../repositories/repository.events.ts';
import {
  ProjectArchived,
  ProjectCreated,
  ProjectDeleted,
  ProjectDeletionCancelled,
  ProjectDeletionScheduled,
  ProjectTransferred,
  ProjectUnarchived,
  ProjectUpdated,
} from './project.events.ts';

export const projectLifetime = defineLifetime({
  kind: 'Project',
  id: ['projectId'],
  begins: [begins(ProjectCreated, { fixed: { archived: false } })],
  changes: changedBy(
    ProjectUpdated,
    ProjectArchived,
    ProjectUnarchived,
    ProjectTransferred,
    ProjectDeletionScheduled,
    ProjectDeletionCancelled,
    RepositoryMoved,
  ),
  ends: [
    endsWith(ProjectDeleted, ['projectId']),
    endsWith(GroupDeleted, { namespaceId: 'groupId' }, { announcedBy: ProjectDeleted }),
    endsWith(UserDeleted, ['namespaceId'], { announcedBy: ProjectDeleted }),
  ],
});

/** The owner of a personal namespace owns its projects while they are there. */
export const projectOwnershipLifetime = defineLifetime({
  kind: 'ProjectOwnership',
  id: ['projectId', 'userId'],
  begins: [ProjectCreated, ProjectTransferred].map((event) =>
    begins(event, { fields: { userId: 'ownerId' }, fixed: { accessLevel: 50 } }),
  ),
  ends: [
    endsWith(ProjectTransferred, { projectId: 'projectId', userId: 'previousOwnerId' }),
    endsWith(ProjectDeleted, ['projectId'], { announcedBy: ProjectDeleted }),
  ],
});
