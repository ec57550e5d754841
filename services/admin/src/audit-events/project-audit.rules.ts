import {
  EnvironmentDeletionScheduled,
  EnvironmentStopped,
} from '@forgelog/contracts/ci/environments/environment.events.ts';
import { FreezePeriodCreated } from '@forgelog/contracts/ci/freeze-periods/freeze-period.events.ts';
import { ProjectTransferred } from '@forgelog/contracts/repo/projects/project.events.ts';
import {
  ErrorTrackingCreated,
  ErrorTrackingUpdated,
} from '@forgelog/contracts/tracker/error-tracking/error-tracking.events.ts';
import { IssueDeleted } from '@forgelog/contracts/tracker/issues/issue.events.ts';
import {
  type AuditEntry,
  type AuditRule,
  audited,
  changeOf,
  flatChanges,
  type KnownNames,
} from './audit-rule.ts';

/** Describes a change within a project. */
const inProject = async (
  projectId: number,
  target: AuditEntry['target'],
  rest: Omit<AuditEntry, 'entity' | 'target'>,
): Promise<AuditEntry> => ({ entity: { type: 'Project', id: projectId }, target, ...rest });

const freezePeriod = (id: number) => ({ type: 'FreezePeriod', id, details: `Freeze period ${id}` });
const environment = (id: number, name = `Environment ${id}`) => ({ type: 'Environment', id, details: name });

export const projectAuditRules: readonly AuditRule[] = [
  audited(ProjectTransferred, async ({ data: { projectId: id, fullPath } }, known) => {
    const { name, fullPath: before } = await known.project(id);
    const target = { type: 'Project', id, details: name };
    const message = `Transferred from ${before} to ${fullPath}`;
    return inProject(id, target, { message, change: 'namespace', from: before, to: fullPath });
  }),
  audited(FreezePeriodCreated, ({ data: { projectId, freezePeriodId: id, freezeStart, freezeEnd } }) =>
    inProject(projectId, freezePeriod(id), {
      message: `Created freeze period ${id} from ${freezeStart} to ${freezeEnd}`,
      add: 'freeze_period',
    }),
  ),
  audited(EnvironmentStopped, ({ data: { projectId, environmentId: id } }) =>
    inProject(projectId, environment(id), {
      message: `Stopped environment ${id}`,
      change: 'state',
      from: 'available',
      to: 'stopped',
    }),
  ),
  audited(EnvironmentDeletionScheduled, ({ data: { projectId, environmentId: id, dueAt } }) =>
    inProject(projectId, environment(id), {
      message: `Scheduled environment ${id} to be deleted at ${dueAt}`,
    }),
  ),
  audited(IssueDeleted, ({ data: { projectId, issueId: id, iid } }) =>
    inProject(projectId, { type: 'Issue', id, details: `#${iid}` }, { message: `Deleted issue #${iid}` }),
  ),
  audited(ErrorTrackingCreated, ({ data: { projectId, active } }, known) =>
    errorTracking(projectId, known, `Switched error tracking ${active ? 'on' : 'off'}`),
  ),
  audited(ErrorTrackingUpdated, ({ data: { projectId, changes } }, known) => {
    const flat = flatChanges(changes);
    const message = `Changed error tracking: ${Object.keys(flat).join(', ')}`;
    return errorTracking(projectId, known, message, changeOf(flat));
  }),
];

async function errorTracking(
  id: number,
  known: KnownNames,
  message: string,
  more: object = {},
): Promise<AuditEntry> {
  const { name } = await known.project(id);
  return inProject(id, { type: 'Project', id, details: name }, { message, ...more });
}
