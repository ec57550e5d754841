import {
  addGroupMember,
  changeGroupMember,
  removeGroupMember,
} from '@forgelog/contracts/admin/members/group-member.api.ts';
import { GROUP_LEVELS } from '@forgelog/contracts/admin/members/member.views.ts';
import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { today } from '@forgelog/directory/calendar.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { noContent } from '@forgelog/service-kit/answer.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { groupDecider, groupStream } from '../groups/group.decider.ts';
import { hasOwnerAbove, removeFromGroup } from './group-member.commands.ts';
import { addMembers, answerWritten, checkMembership } from './member.commands.ts';

export function groupMemberRoutes(ports: ServicePorts): Implementation[] {
  const { commands } = ports;

  return [
    implement(addGroupMember, async ({ params, group, metadata }) => {
      const { id: groupId } = group.group;
      const day = today(ports);
      checkMembership(params, GROUP_LEVELS, day);
      const { access_level: accessLevel, expires_at: expiresAt = null } = params;
      return addMembers(
        ports,
        params.user_id,
        (userId) =>
          commands.handle(
            groupDecider,
            groupStream(groupId),
            { type: 'AddGroupMember', groupId, userId, accessLevel, expiresAt, today: day },
            metadata,
          ),
        (userId) => answerWritten(ports, 'group', groupId, userId),
      );
    }),

    implement(changeGroupMember, async ({ params, group, metadata }) => {
      const { id: groupId } = group.group;
      const { user_id: userId, access_level: accessLevel } = params;
      const day = today(ports);
      checkMembership(params, GROUP_LEVELS, day);
      const { state } = await commands.load(groupDecider, groupStream(groupId));
      const present = state.status === 'present' ? state.members.get(userId) : undefined;
      const expiresAt = params.expires_at === undefined ? (present?.expiresAt ?? null) : params.expires_at;
      const inheritedOwners = await hasOwnerAbove(ports, groupId, userId);
      await commands.handle(
        groupDecider,
        groupStream(groupId),
        { type: 'ChangeGroupMember', groupId, userId, accessLevel, expiresAt, today: day, inheritedOwners },
        metadata,
      );
      return answerWritten(ports, 'group', groupId, userId);
    }),

    implement(removeGroupMember, async ({ params, group, caller, metadata }) => {
      const { user_id: userId, skip_subresources: skips = false } = params;
      const leaves = userId === caller.userId;
      if (!leaves && group.level < AccessLevel.owner) throw new Rejection('forbidden', {});
      await removeFromGroup(
        ports,
        {
          groupId: group.group.id,
          userId,
          reason: leaves ? 'left' : 'removed',
          withSubresources: !skips,
        },
        metadata,
      );
      return noContent();
    }),
  ];
}
