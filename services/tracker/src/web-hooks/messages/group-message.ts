import type { GroupEvent } from '@forgelog/contracts/admin/groups/group.events.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { RecordedEvent } from '@forgelog/eventing/event.ts';
import type { HookMessage } from '../web-hook-sender.ts';
import type { HookFacts } from './hook-facts.ts';
import { systemMessage, timesOf } from './system-message.ts';

interface Shown {
  name: string;
  path: string;
  full_path: string;
  group_id: number;
}

/** A group that began, ended or got another path; groups above are told of those that begin and end. */
export async function groupMessages(
  _: ServicePorts,
  facts: HookFacts,
  event: RecordedEvent<string, GroupEvent['data']>,
): Promise<HookMessage[]> {
  const { groupId } = event.data;
  const times = timesOf(event);
  const now = await facts.groupOf(groupId);
  if ('changes' in event.data) {
    const { previous } = event.data as { previous: { path?: string } | null };
    if (!now || previous?.path === undefined) return [];
    const above = now.fullPath.slice(0, now.fullPath.lastIndexOf('/') + 1);
    const old = { old_path: previous.path, old_full_path: above + previous.path };
    return [systemMessage({ event_name: 'group_rename', ...times, ...shown(now, groupId), ...old })];
  }
  if (!('parentId' in event.data)) return [];
  const { parentId, path, fullPath } = event.data;
  // Nothing else knows the name of one that is gone.
  const name = 'name' in event.data ? event.data.name : path;
  const group: Shown = { name, path, full_path: fullPath, group_id: groupId };
  const done = event.type === 'GroupCreated' ? 'create' : 'destroy';
  const told = [systemMessage({ event_name: `group_${done}`, ...times, ...group })];
  const parent = parentId === null ? undefined : await facts.groupOf(parentId);
  if (!parent) return told;
  const body = {
    event_name: `subgroup_${done}`,
    ...times,
    ...group,
    parent_group_id: parentId,
    parent_name: parent.name,
    parent_path: parent.path,
    parent_full_path: parent.fullPath,
  };
  return [...told, toldAbove(parent.id, body)];
}

const toldAbove = (groupId: number, body: object): HookMessage => ({
  ...{ trigger: 'subgroup_events', projectId: null, groupId, branch: null },
  body: JSON.stringify(body),
});

const shown = (group: { name: string; path: string; fullPath: string }, groupId: number): Shown => ({
  ...{ name: group.name, path: group.path, full_path: group.fullPath, group_id: groupId },
});
