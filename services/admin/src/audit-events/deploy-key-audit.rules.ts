import {
  DeployKeyAccessUpdated,
  DeployKeyCreated,
  DeployKeyDeleted,
  DeployKeyDisabledForProject,
  DeployKeyEnabledForProject,
  DeployKeyUpdated,
} from '@forgelog/contracts/admin/deploy-keys/deploy-key.events.ts';
import { initiatorOf } from '@forgelog/eventing/event.ts';
import { type AuditEntry, type AuditRule, audited, changeOf, flatChanges } from './audit-rule.ts';

interface KeyOfProject {
  deployKeyId: number;
  projectId: number;
}

const named = (id: number) => `deploy key ${id}`;
const about = ({ deployKeyId: id, projectId }: KeyOfProject): Pick<AuditEntry, 'entity' | 'target'> => ({
  entity: { type: 'Project', id: projectId },
  target: { type: 'DeployKey', id, details: named(id) },
});

function changed(data: KeyOfProject, changes: Readonly<Record<string, unknown>>): AuditEntry {
  const flat = flatChanges(changes);
  const message = `Changed ${named(data.deployKeyId)}: ${Object.keys(flat).join(', ')}`;
  return { ...about(data), message, ...changeOf(flat) };
}

export const deployKeyAuditRules: readonly AuditRule[] = [
  // A key of a project begins there, and the project tells it.
  audited(DeployKeyCreated, async ({ data: { deployKeyId: id, isPublic }, metadata }) =>
    isPublic
      ? {
          entity: { type: 'User', id: initiatorOf(metadata).actorId! },
          target: { type: 'DeployKey', id, details: named(id) },
          message: `Created ${named(id)} for all projects`,
          add: 'deploy_key',
        }
      : undefined,
  ),
  audited(DeployKeyDeleted, async () => undefined),
  audited(DeployKeyUpdated, async ({ data }) => changed(data, data.changes)),
  audited(DeployKeyAccessUpdated, async ({ data }) => changed(data, data.changes)),
  audited(DeployKeyEnabledForProject, async ({ data }) => ({
    ...about(data),
    message: `Enabled ${named(data.deployKeyId)}${data.canPush ? ', which may push' : ''}`,
    add: 'deploy_key',
  })),
  audited(DeployKeyDisabledForProject, async ({ data }) => ({
    ...about(data),
    message: `Disabled ${named(data.deployKeyId)}`,
  })),
];
