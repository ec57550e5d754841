import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { inBatches } from '@forgelog/eventing/batches.ts';
import type { Reaction } from '@forgelog/eventing/define-policy.ts';
import { and, eq, has } from '@forgelog/eventing/query.ts';
import { projects } from './project.collection.ts';
import { type ProjectCommand, projectDecider, projectStream } from './project.decider.ts';
import type { Storages } from './storages.ts';

const BATCH = 1000;

export type ProjectsBelowPorts = Pick<ServicePorts, 'commands' | 'readStore'> & { storages: Storages };

/**
 * Gives a command to each project of this storage below a group, once for `operationId` however often a policy reacts.
 * @throws what `signal` aborts with
 */
export async function toProjectsBelow(
  { commands, readStore, storages }: ProjectsBelowPorts,
  groupId: number,
  commandFor: (projectId: number) => ProjectCommand,
  { operationId, metadata, signal }: Reaction & { operationId: string },
): Promise<void> {
  const where = and(has('ancestors', groupId), eq('repositoryStorage', storages.own));
  for await (const found of inBatches(readStore, projects, { where, size: BATCH, select: ['id'] }))
    for (const { id } of found) {
      signal.throwIfAborted();
      await commands.handle(projectDecider, projectStream(id), commandFor(id), metadata, { operationId });
    }
}
