import {
  CiVariableAdded,
  CiVariableChanged,
  CiVariableRemoved,
} from '@forgelog/contracts/ci/ci-variables/ci-variable.events.ts';
import { initiatorOf, type RecordedEvent } from '@forgelog/eventing/event.ts';
import { type AuditEntry, type AuditRule, audited, changeOf, flatChanges } from './audit-rule.ts';

interface VariableData {
  variableId: number;
  projectId: number | null;
  groupId: number | null;
  key: string;
}

/** Variables of the instance are among what their author did, because an audit event belongs to a user or a place. */
function about(
  { metadata }: Pick<RecordedEvent, 'metadata'>,
  { variableId, projectId, groupId, key }: VariableData,
): Pick<AuditEntry, 'entity' | 'target'> {
  const target = { type: 'CiVariable', id: variableId, details: key };
  if (projectId !== null) return { entity: { type: 'Project', id: projectId }, target };
  if (groupId !== null) return { entity: { type: 'Group', id: groupId }, target };
  return { entity: { type: 'User', id: initiatorOf(metadata).actorId! }, target };
}

/** Values never reach the audit log: it tells that one changed. */
export const ciAuditRules: readonly AuditRule[] = [
  audited(CiVariableAdded, async (event) => ({
    ...about(event, event.data),
    message: `Added CI variable ${event.data.key}`,
    add: 'ci_variable',
  })),
  audited(CiVariableChanged, async (event) => {
    const { key, changes } = event.data;
    const { isMaskable: _, ...told } = changes;
    const flat = flatChanges(told);
    const message = `Changed CI variable ${key}: ${Object.keys(flat).join(', ')}`;
    return { ...about(event, event.data), message, ...changeOf(flat) };
  }),
  audited(CiVariableRemoved, async (event) => ({
    ...about(event, event.data),
    message: `Deleted CI variable ${event.data.key}`,
  })),
];
