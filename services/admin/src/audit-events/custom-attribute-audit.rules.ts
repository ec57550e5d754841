import {
  CustomAttributeCreated,
  CustomAttributeDeleted,
  CustomAttributeUpdated,
} from '@forgelog/contracts/admin/custom-attributes/custom-attribute.events.ts';
import { type AuditEntry, type AuditRule, audited } from './audit-rule.ts';

interface AttributeData {
  customAttributeId: number;
  userId: number | null;
  groupId: number | null;
  projectId: number | null;
  key: string;
}

function about({
  customAttributeId,
  userId,
  groupId,
  projectId,
  key,
}: AttributeData): Pick<AuditEntry, 'entity' | 'target'> {
  const target = { type: 'CustomAttribute', id: customAttributeId, details: key };
  if (userId !== null) return { entity: { type: 'User', id: userId }, target };
  if (groupId !== null) return { entity: { type: 'Group', id: groupId }, target };
  return { entity: { type: 'Project', id: projectId! }, target };
}

export const customAttributeAuditRules: readonly AuditRule[] = [
  audited(CustomAttributeCreated, async ({ data }) => ({
    ...about(data),
    message: `Created custom attribute ${data.key}`,
    add: 'custom_attribute',
  })),
  audited(CustomAttributeUpdated, async ({ data }) => ({
    ...about(data),
    message: `Changed custom attribute ${data.key}`,
    change: 'value',
    from: data.previous?.value ?? '',
    to: data.changes.value ?? '',
  })),
  audited(CustomAttributeDeleted, async ({ data }) => ({
    ...about(data),
    message: `Deleted custom attribute ${data.key}`,
  })),
];
