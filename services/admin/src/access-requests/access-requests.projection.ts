import {
  accessRequestEvents,
  type GroupAccessRequestEvent,
  type ProjectAccessRequestEvent,
} from '@forgelog/contracts/admin/access-requests/access-request.events.ts';
import {
  groupAccessRequestLifetime,
  projectAccessRequestLifetime,
} from '@forgelog/contracts/admin/access-requests/access-request.lifetime.ts';
import {
  GroupDeleted,
  type GroupEvent,
  GroupMemberAdded,
} from '@forgelog/contracts/admin/groups/group.events.ts';
import {
  ProjectMemberAdded,
  type ProjectMemberEvent,
} from '@forgelog/contracts/admin/members/project-member.events.ts';
import { UserDeleted } from '@forgelog/contracts/admin/users/user.events.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

export const projectAccessRequests = defineCollection({
  name: 'project_access_requests',
  key: 'key',
  fields: { key: 'text', projectId: 'integer', userId: 'integer', requestedAt: 'text' },
  indexes: [['projectId', 'requestedAt'], ['userId']],
  holds: { lifetime: projectAccessRequestLifetime },
  ownedBy: [
    endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId)),
    endsWith(UserDeleted, ({ userId }) => eq('userId', userId)),
  ],
});

export const groupAccessRequests = defineCollection({
  name: 'group_access_requests',
  key: 'key',
  fields: { key: 'text', groupId: 'integer', userId: 'integer', requestedAt: 'text' },
  indexes: [['groupId', 'requestedAt'], ['userId']],
  holds: { lifetime: groupAccessRequestLifetime },
  ownedBy: [
    endsWith(GroupDeleted, ({ groupId }) => eq('groupId', groupId)),
    endsWith(UserDeleted, ({ userId }) => eq('userId', userId)),
  ],
});

export type AccessRequestRow = Pick<DocumentOf<typeof projectAccessRequests>, 'userId' | 'requestedAt'>;

export const accessRequestKey = (placeId: number, userId: number) => `${placeId}-${userId}`;

type Handled =
  | ProjectAccessRequestEvent
  | GroupAccessRequestEvent
  | Extract<ProjectMemberEvent, { type: 'ProjectMemberAdded' }>
  | Extract<GroupEvent, { type: 'GroupMemberAdded' }>;

export const accessRequestsProjection = defineProjection<Handled>({
  name: 'access-requests',
  collections: [projectAccessRequests, groupAccessRequests],
  handles: [...accessRequestEvents.map(({ type }) => type), ProjectMemberAdded.type, GroupMemberAdded.type],
  async project(event, documents) {
    switch (event.type) {
      case 'ProjectAccessRequestCreated': {
        const { projectId, userId } = event.data;
        const key = accessRequestKey(projectId, userId);
        return documents.put(projectAccessRequests, { key, projectId, userId, requestedAt: event.time });
      }
      case 'GroupAccessRequestCreated': {
        const { groupId, userId } = event.data;
        const key = accessRequestKey(groupId, userId);
        return documents.put(groupAccessRequests, { key, groupId, userId, requestedAt: event.time });
      }
      case 'ProjectAccessRequestDeleted':
      case 'ProjectMemberAdded': {
        const { projectId, userId } = event.data;
        return documents.delete(projectAccessRequests, accessRequestKey(projectId, userId));
      }
      case 'GroupAccessRequestDeleted':
      case 'GroupMemberAdded': {
        const { groupId, userId } = event.data;
        return documents.delete(groupAccessRequests, accessRequestKey(groupId, userId));
      }
      default:
        event satisfies never;
    }
  },
});
