import { DeployKeyEnabledForProject } from '@forgelog/contracts/admin/deploy-keys/deploy-key.events.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { inBatches } from '@forgelog/eventing/batches.ts';
import { definePolicy, type Reaction } from '@forgelog/eventing/define-policy.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { deployKeyDecider, deployKeyStream } from './deploy-key.decider.ts';
import { deployKeyProjects, deployKeys } from './deploy-keys.projection.ts';

const BATCH = 100;

export function deployKeyPolicies({ commands, directory, readStore }: ServicePorts): Policy[] {
  async function disable(deployKeyId: number, projectId: number, { metadata }: Reaction): Promise<void> {
    const key = await readStore.get(deployKeys, deployKeyId);
    if (!key) return;
    const { fingerprint } = key;
    const command = { type: 'DisableDeployKey' as const, deployKeyId, fingerprint, projectId };
    await commands
      .handle(deployKeyDecider, deployKeyStream(fingerprint), command, metadata)
      .catch((error: unknown) => {
        // It is disabled already.
        if (!(error instanceof Rejection) || error.status !== 404) throw error;
      });
  }

  return [
    definePolicy({
      name: 'disable-deploy-keys-of-deleted',
      handles: [ProjectDeleted],
      actsAs: 'actor',
      async react(event, reaction) {
        const { projectId } = event.data;
        const where = eq('projectId', projectId);
        for await (const rows of inBatches(readStore, deployKeyProjects, { where, size: BATCH }))
          for (const { deployKeyId } of rows) {
            reaction.signal.throwIfAborted();
            await disable(deployKeyId, projectId, reaction);
          }
      },
    }),
    definePolicy({
      /** A key that was enabled while its project was being deleted. */
      name: 'disable-deploy-keys-in-deleted',
      handles: [DeployKeyEnabledForProject],
      actsAs: 'system',
      async react(event, reaction) {
        const { deployKeyId, projectId } = event.data;
        if (!(await directory.project(projectId))) await disable(deployKeyId, projectId, reaction);
      },
    }),
  ];
}
