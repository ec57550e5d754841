import {
  GroupCreated,
  type GroupEvent,
  GroupMemberAdded,
  GroupMemberChanged,
  GroupMemberRemoved,
} from '@forgelog/contracts/admin/groups/group.events.ts';
import {
  ProjectMemberAdded,
  ProjectMemberChanged,
  type ProjectMemberEvent,
  ProjectMemberRemoved,
} from '@forgelog/contracts/admin/members/project-member.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { initiatorOf } from '@forgelog/eventing/event.ts';
import { directoryMembers, memberKey } from './collections.ts';

type Handled = Extract<GroupEvent, { type: 'GroupCreated' | `GroupMember${string}` }> | ProjectMemberEvent;

export const directoryMembersProjection = defineProjection<Handled>({
  name: 'directory-members',
  collections: [directoryMembers],
  handles: [
    GroupCreated.type,
    GroupMemberAdded.type,
    GroupMemberChanged.type,
    GroupMemberRemoved.type,
    ProjectMemberAdded.type,
    ProjectMemberChanged.type,
    ProjectMemberRemoved.type,
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
        invitedBy: initiatorOf(event.metadata).actorId,
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
        if (event.data.ownerId !== null) {
          put('group', event.data.groupId, {
            userId: event.data.ownerId,
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
      default:
        event satisfies never;
    }
  },
});
