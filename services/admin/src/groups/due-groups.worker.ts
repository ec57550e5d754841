import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { inBatches } from '@forgelog/eventing/batches.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { range } from '@forgelog/eventing/query.ts';
import type { Worker } from '@forgelog/service-kit/slice.ts';
import { createSweeper } from '@forgelog/service-kit/sweeper.ts';
import { groupDecider, groupStream } from './group.decider.ts';
import { groups } from './groups.projection.ts';

type Ports = Pick<ServicePorts, 'readStore' | 'commands' | 'clock' | 'directory'>;

const BATCH = 100;

/** Deletes marked groups whose time has come; what is in them goes as with any deletion. Safe to repeat. */
export async function deleteDueGroups(
  { readStore, commands, clock, directory }: Ports,
  signal: AbortSignal,
): Promise<void> {
  const now = clock().toISOString();
  const where = range('deletionDueAt', { lte: now });
  for await (const due of inBatches(readStore, groups, { where, size: BATCH, select: ['id'] }))
    for (const { id: groupId } of due) {
      if (signal.aborted) return;
      const group = await directory.namespace(groupId);
      // One that goes with its parent is deleted by a policy.
      if (!group) continue;
      const command = { type: 'DeleteMarkedGroup', groupId, fullPath: group.fullPath, now } as const;
      await commands.handle(groupDecider, groupStream(groupId), command, SYSTEM_METADATA);
    }
}

export const dueGroupSweeper = (ports: Ports & Pick<ServicePorts, 'log'>): Worker =>
  createSweeper(ports, 'groups that are marked for deletion', (signal) => deleteDueGroups(ports, signal));
