import { BadgeCreated, BadgeDeleted, BadgeUpdated } from '@forgelog/contracts/repo/badges/badge.events.ts';
import { type AuditEntry, type AuditRule, audited, changeOf, flatChanges } from './audit-rule.ts';

interface BadgeIds {
  badgeId: number;
  projectId: number | null;
  groupId: number | null;
}

function about({ badgeId, projectId, groupId }: BadgeIds): Pick<AuditEntry, 'entity' | 'target'> {
  const target = { type: 'Badge', id: badgeId, details: `Badge ${badgeId}` };
  if (projectId !== null) return { entity: { type: 'Project', id: projectId }, target };
  return { entity: { type: 'Group', id: groupId! }, target };
}

export const badgeAuditRules: readonly AuditRule[] = [
  audited(BadgeCreated, async ({ data }) => ({
    ...about(data),
    message: `Created badge ${data.badgeId}`,
    add: 'badge',
  })),
  audited(BadgeUpdated, async ({ data }) => {
    const flat = flatChanges(data.changes);
    const message = `Changed badge ${data.badgeId}: ${Object.keys(flat).join(', ')}`;
    return { ...about(data), message, ...changeOf(flat) };
  }),
  audited(BadgeDeleted, async ({ data }) => ({ ...about(data), message: `Deleted badge ${data.badgeId}` })),
];
