import {
  GroupMemberAdded,
  GroupMemberChanged,
  GroupMemberRemoved,
} from '@forgelog/contracts/admin/groups/group.events.ts';
import {
  ProjectMemberAdded,
  ProjectMemberChanged,
  ProjectMemberRemoved,
} from '@forgelog/contracts/admin/members/project-member.events.ts';
import { roleTitle } from '../shared/role-titles.ts';
import { type AuditEntry, type AuditRule, audited, type KnownNames } from './audit-rule.ts';

type Entity = AuditEntry['entity'];

interface Member {
  userId: number;
  accessLevel: number;
  expiresAt: string | null;
}

async function target(userId: number, known: KnownNames): Promise<AuditEntry['target']> {
  return { type: 'User', id: userId, details: (await known.user(userId)).name };
}

const until = (expiresAt: string | null) => (expiresAt === null ? '' : ` until ${expiresAt}`);

async function added(entity: Entity, member: Member, known: KnownNames): Promise<AuditEntry> {
  const user = await target(member.userId, known);
  const role = roleTitle(member.accessLevel);
  return {
    entity,
    target: user,
    message: `Added ${user.details} as ${role}${until(member.expiresAt)}`,
    add: 'user_access',
    to: role,
  };
}

async function changed(
  entity: Entity,
  member: Member & { previousAccessLevel: number },
  known: KnownNames,
): Promise<AuditEntry> {
  const user = await target(member.userId, known);
  const [from, to] = [roleTitle(member.previousAccessLevel), roleTitle(member.accessLevel)];
  if (from === to) {
    const end = member.expiresAt ?? 'never';
    const message = `Changed the end of the membership of ${user.details} to ${end}`;
    return { entity, target: user, message, change: 'expires_at', to: end };
  }
  return {
    entity,
    target: user,
    message: `Changed ${user.details} from ${from} to ${to}${until(member.expiresAt)}`,
    change: 'access_level',
    from,
    to,
  };
}

const ENDS = {
  removed: 'Removed',
  left: 'Left by',
  expired: 'Ended by date the membership of',
  deleted: 'Ended by deletion the membership of',
} as const;

async function removed(
  entity: Entity,
  { userId, reason }: { userId: number; reason: keyof typeof ENDS },
  known: KnownNames,
): Promise<AuditEntry> {
  const user = await target(userId, known);
  return {
    entity,
    target: user,
    message: `${ENDS[reason]} ${user.details}`,
    change: 'user_access',
    to: 'none',
  };
}

const group = (id: number): Entity => ({ type: 'Group', id });
const project = (id: number): Entity => ({ type: 'Project', id });

export const memberAuditRules: readonly AuditRule[] = [
  audited(GroupMemberAdded, async ({ data }, known) =>
    // The creation of the group tells its first owner.
    data.reason === 'created' ? undefined : added(group(data.groupId), data, known),
  ),
  audited(GroupMemberChanged, ({ data }, known) => changed(group(data.groupId), data, known)),
  audited(GroupMemberRemoved, ({ data }, known) => removed(group(data.groupId), data, known)),
  audited(ProjectMemberAdded, ({ data }, known) => added(project(data.projectId), data, known)),
  audited(ProjectMemberChanged, ({ data }, known) => changed(project(data.projectId), data, known)),
  audited(ProjectMemberRemoved, ({ data }, known) => removed(project(data.projectId), data, known)),
];
