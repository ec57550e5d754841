import {
  GroupAccessRequestCreated,
  GroupAccessRequestDeleted,
  ProjectAccessRequestCreated,
  ProjectAccessRequestDeleted,
} from '@forgelog/contracts/admin/access-requests/access-request.events.ts';
import { type AuditEntry, type AuditRule, audited, type KnownNames } from './audit-rule.ts';

async function told(
  entity: AuditEntry['entity'],
  userId: number,
  say: (name: string) => string,
  known: KnownNames,
): Promise<AuditEntry> {
  const { name } = await known.user(userId);
  return { entity, target: { type: 'User', id: userId, details: name }, message: say(name) };
}

const asked = (name: string) => `${name} asked for access`;
const ended = (reason: 'denied' | 'withdrawn') => (name: string) =>
  reason === 'denied' ? `Denied ${name} access` : `${name} no longer asks for access`;

export const accessRequestAuditRules: readonly AuditRule[] = [
  audited(ProjectAccessRequestCreated, ({ data: { projectId: id, userId } }, known) =>
    told({ type: 'Project', id }, userId, asked, known),
  ),
  audited(ProjectAccessRequestDeleted, ({ data: { projectId: id, userId, reason } }, known) =>
    told({ type: 'Project', id }, userId, ended(reason), known),
  ),
  audited(GroupAccessRequestCreated, ({ data: { groupId: id, userId } }, known) =>
    told({ type: 'Group', id }, userId, asked, known),
  ),
  audited(GroupAccessRequestDeleted, ({ data: { groupId: id, userId, reason } }, known) =>
    told({ type: 'Group', id }, userId, ended(reason), known),
  ),
];
