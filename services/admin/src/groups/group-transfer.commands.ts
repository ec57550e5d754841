import { Rejection } from '@forgelog/contracts/errors.ts';
import { today } from '@forgelog/directory/calendar.ts';
import { GROUP_TREE, NameTakenError, routeStream } from '@forgelog/directory/name.decider.ts';
import { createNames } from '@forgelog/directory/names.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import { has } from '@forgelog/eventing/query.ts';
import type { GroupSummary } from '@forgelog/service-kit/access.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import {
  type GroupState,
  groupDecider,
  groupStream,
  strictestSharedRunners,
  transferFailed,
} from './group.decider.ts';
import { parentForSubgroup, requireMayCreateGroups } from './group-role.access.ts';
import { groups } from './groups.projection.ts';

type Ports = Pick<ServicePorts, 'clock' | 'commands' | 'directory' | 'readStore'>;

type PresentGroup = Extract<GroupState, { status: 'present' }>;

/** More than groups may be nested: a walk up ends, whatever the log holds. */
const MOST_STEPS = 100;
const MOST_BELOW = 100_000;

/**
 * Moves a group into another one, or to the top. Which group is in which is read from the log while this group holds the
 * tree, so that two transfers at once close no circle.
 */
export function groupTransfer(
  ports: Ports,
): (
  group: GroupSummary,
  parentId: number | null,
  caller: Principal,
  metadata: EventMetadata,
) => Promise<void> {
  const { clock, commands, readStore } = ports;
  const names = createNames({ clock, commands });

  async function requireMayMoveTo(parentId: number | null, caller: Principal): Promise<void> {
    try {
      if (parentId === null) await requireMayCreateGroups(caller, ports);
      else await parentForSubgroup(parentId, caller, ports);
    } catch (error) {
      if (!(error instanceof Rejection && error.code === 'forbidden')) throw error;
      throw transferFailed("You don't have enough permissions.");
    }
  }

  /** A group and those above it, itself first. @throws 404 where one of them is deleted */
  async function upwards(groupId: number) {
    const found: PresentGroup[] = [];
    for (let id: number | null = groupId; id !== null && found.length < MOST_STEPS; ) {
      const { state }: { state: GroupState } = await commands.load(groupDecider, groupStream(id));
      if (state.status !== 'present') throw new Rejection('not_found', { what: 'Group' });
      found.push(state);
      id = state.parentId;
    }
    return found;
  }

  async function parentOf(groupId: number, parentId: number | null) {
    if (parentId === null) return null;
    const above = await upwards(parentId);
    if (above.some((one) => one.groupId === groupId))
      throw transferFailed('Cannot transfer group to one of its subgroup.');
    if (above.some(({ deletionDueAt }) => deletionDueAt !== null))
      throw transferFailed('The parent group is marked for deletion.');
    const paths = above.map(({ path }) => path);
    return {
      ...{ id: parentId, fullPath: paths.toReversed().join('/'), depth: above.length },
      visibility: above[0]!.visibility,
      sharedRunnersSetting: strictestSharedRunners(above),
    };
  }

  async function heightOf(groupId: number): Promise<number> {
    const where = has('ancestors', groupId);
    const below = await readStore.find(groups, { where, limit: MOST_BELOW, select: ['ancestors'] });
    const depths = below.map(({ ancestors }) => ancestors.length - ancestors.indexOf(groupId));
    return depths.reduce((most, depth) => Math.max(most, depth), 1);
  }

  return async ({ id: groupId, parentId: from, path }, to, caller, metadata) => {
    await requireMayMoveTo(to, caller);
    const move = async () => {
      const [own] = await upwards(groupId);
      const command = {
        type: 'TransferGroup' as const,
        ...{ groupId, parent: await parentOf(groupId, to), height: await heightOf(groupId) },
        ...{ callerId: caller.userId, today: today(ports) },
      };
      return { command, own: own! };
    };
    // Refuse before anything is written.
    const { command, own } = await move();
    groupDecider.decide(command, own);
    const holder = { kind: 'group', id: groupId } as const;
    const take = [routeStream(to, path)];
    try {
      await names.requireFree(take, holder);
      const claims = { take, leave: [routeStream(from, path)], hold: [GROUP_TREE] };
      await names.claimed(holder, claims, metadata, async (at) => {
        const { command } = await move();
        await commands.handle(groupDecider, groupStream(groupId), command, metadata, { at });
      });
    } catch (error) {
      if (!(error instanceof NameTakenError)) throw error;
      throw error.names.includes(GROUP_TREE)
        ? new Rejection('conflict', { message: 'Other groups are being transferred. Try again.' })
        : transferFailed('The parent group already has a subgroup or a project with the same path.');
    }
  };
}
