import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { today } from '@forgelog/directory/calendar.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import { and, eq, oneOf } from '@forgelog/eventing/query.ts';
import { groupDecider, groupStream } from '../groups/group.decider.ts';
import { lasting } from './member.query.ts';
import { type MemberRow, members } from './members.collection.ts';
import { projectMemberDecider, projectMemberStream } from './project-member.decider.ts';

interface Removal {
  groupId: number;
  userId: number;
  reason: 'removed' | 'left';
}

type Ports = Pick<ServicePorts, 'readStore' | 'directory' | 'clock' | 'commands'>;

/** True if a parent group has another owner. */
export async function hasOwnerAbove(ports: Ports, groupId: number, userId: number): Promise<boolean> {
  const above = ((await ports.directory.namespace(groupId))?.ancestors ?? []).filter((id) => id !== groupId);
  if (above.length === 0) return false;
  const owners = await ports.readStore.find(members, {
    where: and(
      eq('source', 'group'),
      oneOf('sourceId', above),
      eq('accessLevel', AccessLevel.owner),
      lasting(today(ports)),
    ),
    // This user has at most one row per parent group.
    limit: above.length + 1,
    select: ['userId'],
  });
  return owners.some((owner) => owner.userId !== userId);
}

/** A user's memberships below a group, excluding the group, deepest first. */
export async function membershipsBelow(
  { readStore, directory }: Pick<Ports, 'readStore' | 'directory'>,
  groupId: number,
  userId: number,
): Promise<MemberRow[]> {
  const rows = await readStore.find(members, { where: eq('userId', userId), limit: 1_000_000 });
  const below: { row: MemberRow; depth: number }[] = [];
  for (const row of rows) {
    const isProject = row.source === 'project';
    const ancestors = isProject
      ? (await directory.project(row.sourceId))?.ancestors
      : (await directory.namespace(row.sourceId))?.ancestors;
    const isItself = !isProject && row.sourceId === groupId;
    // The ancestors of a group include the group itself.
    const depth = (ancestors?.length ?? 0) + (isProject ? 1 : 0);
    if (!isItself && ancestors?.includes(groupId)) below.push({ row, depth });
  }
  return below.sort((a, b) => b.depth - a.depth).map(({ row }) => row);
}

/**
 * Removes a user from a group and, by default, from everything below. Each membership is a command, and the group's own
 * comes last, so that a retry finds the remaining ones. @throws 403 for the last owner, 404 for a non-member, before
 * anything is removed
 */
export async function removeFromGroup(
  ports: Ports,
  removal: Removal & { withSubresources: boolean },
  metadata: EventMetadata,
): Promise<void> {
  const { groupId, userId, reason } = removal;
  const command = {
    type: 'RemoveGroupMember',
    groupId,
    userId,
    reason,
    today: today(ports),
    inheritedOwners: await hasOwnerAbove(ports, groupId, userId),
  } as const;
  const { state } = await ports.commands.load(groupDecider, groupStream(groupId));
  groupDecider.decide(command, state);
  if (removal.withSubresources) await removeBelow(ports, removal, metadata);
  await ports.commands.handle(groupDecider, groupStream(groupId), command, metadata);
}

/** Idempotent: ignores memberships that another request removed. */
export async function removeBelow(
  ports: Ports,
  { groupId, userId, reason }: Removal,
  metadata: EventMetadata,
): Promise<void> {
  for (const { source, sourceId } of await membershipsBelow(ports, groupId, userId)) {
    const day = today(ports);
    const remove =
      source === 'project'
        ? ports.commands.handle(
            projectMemberDecider,
            projectMemberStream(sourceId),
            {
              type: 'RemoveProjectMember',
              projectId: sourceId,
              userId,
              // Nothing in a group belongs to a personal namespace.
              ownerId: null,
              reason,
              today: day,
            },
            metadata,
          )
        : ports.commands.handle(
            groupDecider,
            groupStream(sourceId),
            {
              type: 'RemoveGroupMember',
              groupId: sourceId,
              userId,
              reason,
              today: day,
              inheritedOwners: await hasOwnerAbove(ports, sourceId, userId),
            },
            metadata,
          );
    await remove.catch((error: unknown) => {
      // Already expired or removed.
      if (!(error instanceof Rejection) || error.status !== 404) throw error;
    });
  }
}
