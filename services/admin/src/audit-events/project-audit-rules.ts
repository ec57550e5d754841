import {
  FreezePeriodCreated,
  FreezePeriodDeleted,
  FreezePeriodUpdated,
} from '@forgelog/contracts/ci/freeze-period.events.ts';
import { type AuditEntry, type AuditRule, audited, changeOf } from './audit-rule.ts';

/** An entry about something of a project. */
const inProject = (
  projectId: number,
  target: AuditEntry['target'],
  rest: Omit<AuditEntry, 'entity' | 'target'>,
): Promise<AuditEntry> => Promise.resolve({ entity: { type: 'Project', id: projectId }, target, ...rest });

const freezePeriod = (id: number) => ({ type: 'FreezePeriod', id, details: `Freeze period ${id}` });

export const projectAuditRules: readonly AuditRule[] = [
  audited(FreezePeriodCreated, ({ data: { projectId, freezePeriodId: id, freezeStart, freezeEnd } }) =>
    inProject(projectId, freezePeriod(id), {
      message: `Created freeze period ${id} from ${freezeStart} to ${freezeEnd}`,
      add: 'freeze_period',
    }),
  ),
  audited(FreezePeriodUpdated, ({ data: { projectId, freezePeriodId: id, changes } }) =>
    inProject(projectId, freezePeriod(id), {
      message: `Changed freeze period ${id}: ${Object.keys(changes).join(', ')}`,
      ...changeOf(changes),
    }),
  ),
  audited(FreezePeriodDeleted, ({ data: { projectId, freezePeriodId: id } }) =>
    inProject(projectId, freezePeriod(id), { message: `Deleted freeze period ${id}` }),
  ),
];
