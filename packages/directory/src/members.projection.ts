import {
  GroupCreated,
  GroupDeleted,
  type GroupEvent,
  GroupMemberAdded,
  GroupMemberChanged,
  GroupMemberRemoved,
} from '@forgelog/contracts/admin/group.events.ts';
import {
  ProjectMemberAdded,
  ProjectMemberChanged,
  type ProjectMemberEvent,
  ProjectMemberRemoved,
} from '@forgelog/contracts/admin/project-member.events.ts';
import { UserDeleted, type UserEvent } from '@forgelog/contracts/admin/user.events.ts';
import { ProjectDeleted, type ProjectEvent } from '@forgelog/contracts/repo/project.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import type { ProjectionDocuments } from '@forgelog/eventing/projection.ts';
import { and, type Condition, eq } from '@forgelog/eventing/query.ts';
import { directoryMembers, memberKey } from './collections.ts';

type Handled =
  | Exclude<GroupEvent, { type: 'GroupUpdated' }>
  | ProjectMemberEvent
  | Extract<UserEvent, { type: 'UserDeleted' }>
  | Extract<ProjectEvent, { type: 'ProjectDeleted' }>;

export const directoryMembersProjection = defineProjection<Handled>({
  name: 'directory-members',
  collections: [directoryMembers],
  handles: [
    GroupCreated.type,
    GroupDeleted.type,
    GroupMemberAdded.type,
    GroupMemberChanged.type,
    GroupMemberRemoved.type,
    ProjectMemberAdded.type,
    ProjectMemberChanged.type,
    ProjectMemberRemoved.type,
    UserDeleted.type,
    ProjectDeleted.type,
  ],
  async project(event, documents) {
    const put = (
      source: 'group' | 'project',
      sourceId: number,
      member: { userId: number; accessLevel: number; expiresAt: string | null },
    ) =>
      documents.put(directoryMembers, {
        key: memberKey(source, sourceId, member.userId),
        source,
        sourceId,
        userId: member.userId,
        accessLevel: member.accessLevel,
        expiresAt: member.expiresAt,
        createdAt: event.time,
        invitedBy: event.metadata.actorId,
      });
    const change = async (
      key: string,
      { accessLevel, expiresAt }: { accessLevel: number; expiresAt: string | null },
    ) => {
      const member = await documents.get(directoryMembers, key);
      if (member) documents.put(directoryMembers, { ...member, accessLevel, expiresAt });
    };
    switch (event.type) {
      case 'GroupCreated':
        if (event.data.creatorId !== null) {
          put('group', event.data.groupId, {
            userId: event.data.creatorId,
            accessLevel: 50,
            expiresAt: null,
          });
        }
        return;
      case 'GroupMemberAdded':
        return put('group', event.data.groupId, event.data);
      case 'GroupMemberChanged':
        return change(memberKey('group', event.data.groupId, event.data.userId), event.data);
      case 'GroupMemberRemoved':
        return documents.delete(directoryMembers, memberKey('group', event.data.groupId, event.data.userId));
      case 'ProjectMemberAdded':
        return put('project', event.data.projectId, event.data);
      case 'ProjectMemberChanged':
        return change(memberKey('project', event.data.projectId, event.data.userId), event.data);
      case 'ProjectMemberRemoved':
        return documents.delete(
          directoryMembers,
          memberKey('project', event.data.projectId, event.data.userId),
        );
      case 'GroupDeleted':
        return removeAll(documents, and(eq('source', 'group'), eq('sourceId', event.data.groupId)));
      case 'ProjectDeleted':
        return removeAll(documents, and(eq('source', 'project'), eq('sourceId', event.data.projectId)));
      case 'UserDeleted':
        return removeAll(documents, eq('userId', event.data.userId));
      default:
        event satisfies never;
    }
  },
});

async function removeAll(documents: ProjectionDocuments, where: Condition): Promise<void> {
  const members = await documents.find(directoryMembers, { where, limit: 1_000_000 });
  for (const { key } of members) documents.delete(directoryMembers, key);
}
