import { today } from '@forgelog/directory/calendar.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { inBatches } from '@forgelog/eventing/batches.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import type { Condition } from '@forgelog/eventing/query.ts';
import { accessTokenDecider, accessTokenStream } from './access-token.decider.ts';
import { openTokens } from './open-tokens.projection.ts';

const BATCH = 500;

/** Safe to repeat, also at the same time. */
export async function endTokens(
  ports: Pick<ServicePorts, 'readStore' | 'commands' | 'clock'>,
  ends: { where: Condition; reason: 'expired' | 'deleted'; metadata: EventMetadata; signal: AbortSignal },
): Promise<void> {
  const { where, reason, metadata, signal } = ends;
  const day = today(ports);
  for await (const found of inBatches(ports.readStore, openTokens, { where, size: BATCH }))
    for (const { id: tokenId } of found) {
      signal.throwIfAborted();
      const command = { type: 'EndPersonalAccessToken', tokenId, reason, today: day } as const;
      await ports.commands.handle(accessTokenDecider, accessTokenStream(tokenId), command, metadata);
    }
}
