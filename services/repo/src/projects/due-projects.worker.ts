import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { inBatches } from '@forgelog/eventing/batches.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { and, eq, range } from '@forgelog/eventing/query.ts';
import type { Worker } from '@forgelog/service-kit/slice.ts';
import { createSweeper } from '@forgelog/service-kit/sweeper.ts';
import { projects } from './project.collection.ts';
import { projectDecider, projectStream } from './project.decider.ts';
import type { Storages } from './storages.ts';

type Ports = Pick<ServicePorts, 'readStore' | 'commands' | 'clock'> & { storages: Storages };

const BATCH = 100;

/** Deletes marked projects whose time has come. The decider lets a second process, or a repeat, find nothing due. */
export async function deleteDueProjects(
  { readStore, commands, clock, storages }: Ports,
  signal: AbortSignal,
): Promise<void> {
  const now = clock().toISOString();
  const where = and(range('deletionDueAt', { lte: now }), eq('repositoryStorage', storages.own));
  for await (const due of inBatches(readStore, projects, { where, size: BATCH, select: ['id'] }))
    for (const { id: projectId } of due) {
      if (signal.aborted) return;
      const command = { type: 'DeleteMarkedProject', projectId, now } as const;
      await commands.handle(projectDecider, projectStream(projectId), command, SYSTEM_METADATA);
    }
}

export const dueProjectSweeper = (ports: Ports & Pick<ServicePorts, 'log'>): Worker =>
  createSweeper(ports, 'projects that are marked for deletion', (signal) => deleteDueProjects(ports, signal));
