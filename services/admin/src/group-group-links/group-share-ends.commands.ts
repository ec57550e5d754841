import { today } from '@forgelog/directory/calendar.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { inBatches } from '@forgelog/eventing/batches.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import type { Condition } from '@forgelog/eventing/query.ts';
import { groupGroupLinkDecider, groupGroupLinkStream } from './group-group-link.decider.ts';
import { openGroupGroupLinks } from './open-group-group-links.projection.ts';

const BATCH = 100;

/** Appends the end of each open share that matches. Safe to repeat, also at the same time. */
export async function endGroupShares(
  ports: Pick<ServicePorts, 'readStore' | 'commands' | 'clock'>,
  ends: { where: Condition; reason: 'expired' | 'deleted'; metadata: EventMetadata; signal: AbortSignal },
): Promise<void> {
  const { where, reason, metadata, signal } = ends;
  const day = today(ports);
  for await (const found of inBatches(ports.readStore, openGroupGroupLinks, { where, size: BATCH }))
    for (const { groupId, sharedWithGroupId } of found) {
      signal.throwIfAborted();
      const command = {
        type: 'EndGroupShare' as const,
        ...{ groupId, sharedWithGroupId, reason, today: day },
      };
      const stream = groupGroupLinkStream(groupId, sharedWithGroupId);
      await ports.commands.handle(groupGroupLinkDecider, stream, command, metadata);
    }
}
