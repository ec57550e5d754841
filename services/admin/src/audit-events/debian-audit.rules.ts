import {
  DebianDistributionCreated,
  DebianDistributionDeleted,
  DebianDistributionUpdated,
} from '@forgelog/contracts/repo/debian-distributions/debian-distribution.events.ts';
import { type AuditEntry, type AuditRule, audited, changeOf, flatChanges } from './audit-rule.ts';

interface DistributionIds {
  debianDistributionId: number;
  projectId: number | null;
  groupId: number | null;
}

const named = ({ debianDistributionId: id }: DistributionIds) => `Debian distribution ${id}`;

function about(ids: DistributionIds): Pick<AuditEntry, 'entity' | 'target'> {
  const target = { type: 'DebianDistribution', id: ids.debianDistributionId, details: named(ids) };
  const { projectId, groupId } = ids;
  if (projectId !== null) return { entity: { type: 'Project', id: projectId }, target };
  return { entity: { type: 'Group', id: groupId! }, target };
}

export const debianAuditRules: readonly AuditRule[] = [
  audited(DebianDistributionCreated, async ({ data }) => ({
    ...about(data),
    message: `Created ${named(data)}`,
    add: 'Debian distribution',
  })),
  audited(DebianDistributionUpdated, async ({ data }) => {
    const flat = flatChanges(data.changes);
    const message = `Changed ${named(data)}: ${Object.keys(flat).join(', ')}`;
    return { ...about(data), message, ...changeOf(flat) };
  }),
  audited(DebianDistributionDeleted, async ({ data }) => ({
    ...about(data),
    message: `Deleted ${named(data)}`,
  })),
];
