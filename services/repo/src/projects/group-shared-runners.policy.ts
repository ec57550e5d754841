import { GroupUpdated } from '@forgelog/contracts/admin/groups/group.events.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { inBatches } from '@forgelog/eventing/batches.ts';
import { definePolicy } from '@forgelog/eventing/define-policy.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import { and, eq, has } from '@forgelog/eventing/query.ts';
import { projects } from './project.collection.ts';
import { projectDecider, projectStream } from './project.decider.ts';
import type { Storages } from './storages.ts';

const BATCH = 1000;

/**
 * A group that turns shared runners off, and lets projects override it, turns them off in all projects below it. Each may
 * turn them on again, and stays so when the reaction repeats.
 */
export function groupSharedRunnerPolicies({
  commands,
  readStore,
  storages,
}: Pick<ServicePorts, 'commands' | 'readStore'> & { storages: Storages }): Policy[] {
  return [
    definePolicy({
      name: 'shared-runners-of-groups',
      handles: [GroupUpdated],
      actsAs: 'system',
      async react({ id: operationId, data: { groupId, changes } }, { metadata, signal }) {
        if (changes.settings?.shared_runners_setting !== 'disabled_with_override') return;
        const where = and(has('ancestors', groupId), eq('repositoryStorage', storages.own));
        for await (const found of inBatches(readStore, projects, { where, size: BATCH, select: ['id'] }))
          for (const { id: projectId } of found) {
            signal.throwIfAborted();
            const command = { type: 'TurnSharedRunnersOff' as const, projectId };
            await commands.handle(projectDecider, projectStream(projectId), command, metadata, {
              operationId,
            });
          }
      },
    }),
  ];
}
