import { today } from '@forgelog/directory/calendar.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { inBatches } from '@forgelog/eventing/batches.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import type { Condition } from '@forgelog/eventing/query.ts';
import { openProjectGroupLinks } from './open-project-group-links.projection.ts';
import { projectGroupLinkDecider, projectGroupLinkStream } from './project-group-link.decider.ts';

const BATCH = 100;

/** Appends the end of each open share that matches. Safe to repeat, also at the same time. */
export async function endProjectShares(
  ports: Pick<ServicePorts, 'readStore' | 'commands' | 'clock'>,
  ends: { where: Condition; reason: 'expired' | 'deleted'; metadata: EventMetadata; signal: AbortSignal },
): Promise<void> {
  const { where, reason, metadata, signal } = ends;
  const day = today(ports);
  for await (const found of inBatches(ports.readStore, openProjectGroupLinks, { where, size: BATCH }))
    for (const { projectId, groupId } of found) {
      signal.throwIfAborted();
      const command = { type: 'EndProjectShare' as const, projectId, groupId, reason, today: day };
      const stream = projectGroupLinkStream(projectId, groupId);
      await ports.commands.handle(projectGroupLinkDecider, stream, command, metadata);
    }
}
