import {
  shareGroup,
  unshareGroup,
} from '@forgelog/contracts/admin/group-group-links/group-group-link.api.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { createAuthorizer } from '@forgelog/directory/authorizer.ts';
import { today } from '@forgelog/directory/calendar.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { noContent } from '@forgelog/service-kit/answer.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { createGroupDetail } from '../groups/group-caller.view.ts';
import { groups } from '../groups/groups.projection.ts';
import { groupGroupLinkDecider, groupGroupLinkStream } from './group-group-link.decider.ts';

export function groupGroupLinkRoutes(ports: ServicePorts): Implementation[] {
  const { commands, directory, ids, readStore } = ports;
  const authorizer = createAuthorizer(directory);
  const detail = createGroupDetail(ports);

  async function requireShareable(groupId: number, sharedWithGroupId: number, caller: Principal) {
    const sharedWith = await authorizer.group(String(sharedWithGroupId), caller);
    if (!sharedWith) throw new Rejection('not_found', { what: 'Group' });
    if (sharedWith.group.isMarked)
      throw new Rejection('refused', { message: 'The group is marked for deletion' });
    // Its members are members here already.
    if ((await directory.namespace(groupId))?.ancestors?.includes(sharedWithGroupId))
      throw new Rejection('conflict', {
        message: 'Group cannot be shared with itself or one of its ancestors.',
      });
  }

  return [
    implement(shareGroup, async ({ params, group, caller, metadata }) => {
      const { group_id: sharedWithGroupId, group_access: accessLevel, expires_at: expiresAt = null } = params;
      const { id: groupId } = group.group;
      const day = today(ports);
      await requireShareable(groupId, sharedWithGroupId, caller);
      if (expiresAt !== null && expiresAt < day)
        throw new Rejection('validation_failed', {
          fields: { expires_at: ['cannot be a date in the past'] },
        });
      const stream = groupGroupLinkStream(groupId, sharedWithGroupId);
      const commandFor = (groupGroupLinkId: number) => ({
        type: 'ShareGroup' as const,
        ...{ groupGroupLinkId, groupId, sharedWithGroupId, accessLevel, expiresAt, today: day },
      });
      // Refuse before reserving an id.
      groupGroupLinkDecider.decide(commandFor(0), (await commands.load(groupGroupLinkDecider, stream)).state);
      const id = await ids.next('groupGroupLink');
      await commands.handle(groupGroupLinkDecider, stream, commandFor(id), metadata);
      const row = await readStore.get(groups, groupId);
      if (!row) throw new Rejection('not_found', { what: 'Group' });
      return detail({ row, principal: caller, level: group.level, wishes: {} });
    }),

    implement(unshareGroup, async ({ params, group, metadata }) => {
      const { group_id: sharedWithGroupId } = params;
      const { id: groupId } = group.group;
      await commands.handle(
        groupGroupLinkDecider,
        groupGroupLinkStream(groupId, sharedWithGroupId),
        { type: 'UnshareGroup', groupId, sharedWithGroupId, today: today(ports) },
        metadata,
      );
      return noContent();
    }),
  ];
}
