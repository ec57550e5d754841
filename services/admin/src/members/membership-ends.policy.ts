import { GroupDeleted, GroupMemberAdded } from '@forgelog/contracts/admin/groups/group.events.ts';
import { ProjectMemberAdded } from '@forgelog/contracts/admin/members/project-member.events.ts';
import { UserDeleted } from '@forgelog/contracts/admin/users/user.events.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { definePolicy, type Reaction } from '@forgelog/eventing/define-policy.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import { and, type Condition, eq } from '@forgelog/eventing/query.ts';
import { type MemberSource, memberRowKey } from './members.collection.ts';
import { endMemberships } from './membership-ends.commands.ts';

export function membershipPolicies(ports: ServicePorts): Policy[] {
  const { directory } = ports;
  const isGone = async (userId: number) => (await directory.user(userId))?.state === 'deleted';
  const end = (where: Condition, reaction: Reaction) =>
    endMemberships(ports, { where, reason: 'deleted', ...reaction });
  const inPlace = (source: MemberSource, id: number) => and(eq('source', source), eq('sourceId', id));

  return [
    definePolicy({
      /** A deleted user leaves groups by the policy that may delete these groups instead. */
      name: 'end-memberships-of-deleted',
      handles: [UserDeleted, GroupDeleted, ProjectDeleted],
      actsAs: 'actor',
      async react(event, reaction) {
        switch (event.type) {
          case 'UserDeleted':
            return end(and(eq('source', 'project'), eq('userId', event.data.userId)), reaction);
          case 'GroupDeleted':
            return end(inPlace('group', event.data.groupId), reaction);
          case 'ProjectDeleted':
            return end(inPlace('project', event.data.projectId), reaction);
          default:
            event satisfies never;
        }
      },
    }),
    definePolicy({
      /** A membership that began while its user or project was being deleted. */
      name: 'end-memberships-in-deleted',
      handles: [GroupMemberAdded, ProjectMemberAdded],
      actsAs: 'system',
      async react(event, reaction) {
        const { userId } = event.data;
        if (event.type === 'GroupMemberAdded') {
          const key = memberRowKey('group', event.data.groupId, userId);
          if (await isGone(userId)) await end(eq('key', key), reaction);
          return;
        }
        const { projectId } = event.data;
        const key = memberRowKey('project', projectId, userId);
        if ((await isGone(userId)) || !(await directory.project(projectId)))
          await end(eq('key', key), reaction);
      },
    }),
  ];
}
