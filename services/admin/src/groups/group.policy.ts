import {
  GroupCreated,
  GroupDeleted,
  GroupTransferred,
} from '@forgelog/contracts/admin/groups/group.events.ts';
import { UserDeleted } from '@forgelog/contracts/admin/users/user.events.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { today } from '@forgelog/directory/calendar.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { definePolicy } from '@forgelog/eventing/define-policy.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import { eq, has } from '@forgelog/eventing/query.ts';
import { type GroupCommand, groupDecider, groupStream } from './group.decider.ts';
import { groups } from './groups.projection.ts';
import { isOwnedByAnother } from './sole-owner.rules.ts';

export function groupPolicies(ports: ServicePorts): Policy[] {
  const { commands, readStore } = ports;

  /** Ignores groups that no longer exist. */
  async function handle(groupId: number, command: GroupCommand, metadata: EventMetadata): Promise<void> {
    await commands.handle(groupDecider, groupStream(groupId), command, metadata).catch((error) => {
      if (!(error instanceof Rejection && error.code === 'not_found')) throw error;
    });
  }

  async function isDeleted(groupId: number): Promise<boolean> {
    return (await commands.load(groupDecider, groupStream(groupId))).state.status === 'deleted';
  }

  return [
    definePolicy({
      /** Deletes direct subgroups, whose deletion in turn triggers this policy. */
      name: 'clear-deleted-groups',
      handles: [GroupCreated, GroupTransferred, GroupDeleted],
      actsAs: { GroupCreated: 'system', GroupTransferred: 'system', GroupDeleted: 'actor' },
      async react(event, { metadata }) {
        const { groupId, fullPath } = event.data;
        if (event.type === 'GroupTransferred') {
          // The group that it left, or the one that it came to, was deleted before it moved.
          if ((await readStore.get(groups, groupId))?.orphaned)
            await handle(groupId, { type: 'DeleteGroup', groupId, fullPath }, metadata);
          return;
        }
        if (event.type === 'GroupCreated') {
          const { parentId } = event.data;
          // Deletes a group created during its parent's deletion.
          if (parentId !== null && (await isDeleted(parentId)))
            await handle(groupId, { type: 'DeleteGroup', groupId, fullPath }, metadata);
          return;
        }
        const below = await readStore.find(groups, { where: eq('parentId', groupId), limit: 100_000 });
        for (const child of below) {
          const childPath = `${fullPath}/${child.path}`;
          const command = { type: 'DeleteGroup', groupId: child.id, fullPath: childPath } as const;
          await handle(child.id, command, metadata);
        }
      },
    }),
    definePolicy({
      /** Tells of each group below a moved one that it is less open; nobody sees more of it meanwhile. */
      name: 'visibility-of-moved-groups',
      handles: [GroupTransferred],
      actsAs: 'actor',
      async react({ id: operationId, data: { groupId, changes } }, { metadata, signal }) {
        const { visibility: ceiling } = changes;
        if (ceiling === undefined) return;
        const below = await readStore.find(groups, {
          ...{ where: has('ancestors', groupId), limit: 100_000, select: ['id'] },
        });
        for (const { id } of below) {
          signal.throwIfAborted();
          const command = { type: 'LowerGroupVisibility', groupId: id, ceiling } as const;
          await commands.handle(groupDecider, groupStream(id), command, metadata, { operationId });
        }
      },
    }),
    definePolicy({
      /** Removes deleted users from their groups; a hard deletion also deletes groups that they alone owned. */
      name: 'leave-groups-of-deleted-users',
      handles: [UserDeleted],
      actsAs: 'actor',
      async react(event, { metadata }) {
        const { userId, hardDelete } = event.data;
        const rows = await readStore.find(groups, { where: has('memberIds', userId), limit: 100_000 });
        for (const { id: groupId } of rows) {
          const { state } = await commands.load(groupDecider, groupStream(groupId));
          const isOwner = state.status === 'present' && state.members.get(userId)?.accessLevel === 50;
          const { fullPath } = (await ports.directory.namespace(groupId)) ?? { fullPath: null };
          if (hardDelete && isOwner && fullPath && !(await isOwnedByAnother(groupId, userId, ports)))
            await handle(groupId, { type: 'DeleteGroup', groupId, fullPath }, metadata);
          else {
            const ends = { userIds: [userId], reason: 'deleted', today: today(ports) } as const;
            await handle(groupId, { type: 'EndGroupMembers', groupId, ...ends }, metadata);
          }
        }
      },
    }),
  ];
}
