import { begins, defineLifetime, endsWith } from '../../lifetime.ts';
import { ProjectDeleted } from '../../repo/projects/project.events.ts';
import { GroupDeleted, GroupMemberAdded } from '../groups/group.events.ts';
import { ProjectMemberAdded } from '../members/project-member.events.ts';
import { UserDeleted } from '../users/user.events.ts';
import {
  GroupAccessRequestCreated,
  GroupAccessRequestDeleted,
  ProjectAccessRequestCreated,
  ProjectAccessRequestDeleted,
} from './access-request.events.ts';

export const projectAccessRequestLifetime = defineLifetime({
  kind: 'ProjectAccessRequest',
  id: ['projectId', 'userId'],
  begins: [begins(ProjectAccessRequestCreated)],
  ends: [
    endsWith(ProjectAccessRequestDeleted, ['projectId', 'userId']),
    endsWith(ProjectMemberAdded, ['projectId', 'userId']),
    endsWith(ProjectDeleted, ['projectId']),
    endsWith(UserDeleted, ['userId']),
  ],
});

export const groupAccessRequestLifetime = defineLifetime({
  kind: 'GroupAccessRequest',
  id: ['groupId', 'userId'],
  begins: [begins(GroupAccessRequestCreated)],
  ends: [
    endsWith(GroupAccessRequestDeleted, ['groupId', 'userId']),
    endsWith(GroupMemberAdded, ['groupId', 'userId']),
    endsWith(GroupDeleted, ['groupId']),
    endsWith(UserDeleted, ['userId']),
  ],
});
