import { today } from '@forgelog/directory/calendar.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { groupDecider, groupStream } from './group.decider.ts';
import { hasOtherOwner } from './group-member.rules.ts';

const OWNER = 50;

type Ports = Pick<ServicePorts, 'commands' | 'directory' | 'clock'>;

/** Groups that would have no owner without this user; inherited owners count. */
export async function soleOwnedGroups(userId: number, ports: Ports): Promise<number[]> {
  const { groups } = await ports.directory.memberships(userId);
  const owned = [...groups].filter(([, level]) => level === OWNER).map(([id]) => id);
  const alone: number[] = [];
  for (const id of owned) if (!(await isOwnedByAnother(id, userId, ports))) alone.push(id);
  return alone;
}

/** True if the group or a parent has another owner. Reads the log, not a read model. */
export async function isOwnedByAnother(groupId: number, userId: number, ports: Ports): Promise<boolean> {
  const ancestors = (await ports.directory.namespace(groupId))?.ancestors ?? [groupId];
  const day = today(ports);
  for (const id of ancestors) {
    const { state } = await ports.commands.load(groupDecider, groupStream(id));
    if (state.status === 'present' && hasOtherOwner(state.members, userId, day)) return true;
  }
  return false;
}
