import { GroupTransferred } from '@forgelog/contracts/admin/groups/group.events.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { inBatches } from '@forgelog/eventing/batches.ts';
import { definePolicy } from '@forgelog/eventing/define-policy.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import { and, eq, has } from '@forgelog/eventing/query.ts';
import { projects } from './project.collection.ts';
import { projectDecider, projectStream } from './project.decider.ts';
import type { Storages } from './storages.ts';

const BATCH = 1000;

/** Tells of each project below a moved group that it is less open; nobody sees more of it meanwhile. */
export function movedGroupVisibilityPolicies({
  commands,
  readStore,
  storages,
}: Pick<ServicePorts, 'commands' | 'readStore'> & { storages: Storages }): Policy[] {
  return [
    definePolicy({
      name: 'projects-of-moved-groups',
      handles: [GroupTransferred],
      actsAs: 'actor',
      async react({ id: operationId, data: { groupId, changes } }, { metadata, signal }) {
        const { visibility: ceiling } = changes;
        if (ceiling === undefined) return;
        const where = and(has('ancestors', groupId), eq('repositoryStorage', storages.own));
        for await (const found of inBatches(readStore, projects, { where, size: BATCH, select: ['id'] }))
          for (const { id: projectId } of found) {
            signal.throwIfAborted();
            const command = { type: 'LowerVisibility' as const, projectId, ceiling };
            await commands.handle(projectDecider, projectStream(projectId), command, metadata, {
              operationId,
            });
          }
      },
    }),
  ];
}
