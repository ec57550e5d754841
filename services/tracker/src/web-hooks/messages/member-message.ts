import type { GroupEvent } from '@forgelog/contracts/admin/groups/group.events.ts';
import type { ProjectMemberEvent } from '@forgelog/contracts/admin/members/project-member.events.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { RecordedEvent } from '@forgelog/eventing/event.ts';
import type { HookMessage } from '../web-hook-sender.ts';
import { HIDDEN_EMAIL, type HookFacts } from './hook-facts.ts';
import { systemMessage, timesOf } from './system-message.ts';

const ROLES: Readonly<Record<number, string>> = {
  10: 'Guest',
  20: 'Reporter',
  30: 'Developer',
  40: 'Maintainer',
  50: 'Owner',
};

type GroupMember = Extract<
  GroupEvent,
  { type: 'GroupMemberAdded' | 'GroupMemberChanged' | 'GroupMemberRemoved' }
>['data'];

const VERBS: readonly (readonly [end: string, verb: string, preposition: string])[] = [
  ['Added', 'add', 'to'],
  ['Changed', 'update', 'for'],
  ['Removed', 'remove', 'from'],
];

/** `user_add_to_group` and its like. */
function nameOf(type: string, what: 'group' | 'team'): string {
  const [, verb, preposition] = VERBS.find(([end]) => type.endsWith(end))!;
  return `user_${verb}_${preposition}_${what}`;
}

/** A member of a group, whom hooks of the group, of those above and of the instance are told of. */
export async function groupMemberMessages(
  _: ServicePorts,
  facts: HookFacts,
  event: RecordedEvent<string, GroupMember>,
): Promise<HookMessage[]> {
  const { groupId } = event.data;
  const group = await facts.groupOf(groupId);
  const user = await memberOf(facts, event.data.userId);
  if (!group) return [];
  const body = {
    event_name: nameOf(event.type, 'group'),
    ...timesOf(event),
    group_name: group.name,
    group_path: group.path,
    group_id: groupId,
    ...user,
    group_access: roleIn(event.data),
    group_plan: null,
    expires_at: 'expiresAt' in event.data ? event.data.expiresAt : null,
  };
  const ofGroup = { trigger: 'member_events', projectId: null, groupId, branch: null } as const;
  return [{ ...ofGroup, body: JSON.stringify(body) }, systemMessage(body)];
}

/** A member of a project, whom hooks of the instance are told of. */
export async function projectMemberMessage(
  _: ServicePorts,
  facts: HookFacts,
  event: RecordedEvent<string, ProjectMemberEvent['data']>,
): Promise<HookMessage[]> {
  const { projectId } = event.data;
  const project = await facts.projectOf(projectId);
  const user = await memberOf(facts, event.data.userId);
  if (!project) return [];
  const body = {
    event_name: nameOf(event.type, 'team'),
    ...timesOf(event),
    access_level: roleIn(event.data),
    project_id: projectId,
    project_name: project.name,
    project_path: project.path,
    project_path_with_namespace: project.fullPath,
    project_visibility: project.visibility,
    ...user,
  };
  return [systemMessage(body)];
}

const roleIn = (data: object): string | null =>
  'accessLevel' in data ? (ROLES[data.accessLevel as number] ?? null) : null;

async function memberOf(facts: HookFacts, userId: number) {
  const user = await facts.user(userId);
  return {
    user_id: userId,
    user_name: user?.name ?? null,
    user_username: user?.username ?? null,
    user_email: HIDDEN_EMAIL,
  };
}
