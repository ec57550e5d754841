import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import { asc, type Condition } from '@forgelog/eventing/query.ts';
import { accessTokenDecider, accessTokenStream } from './access-token.decider.ts';
import { openTokens } from './open-tokens.projection.ts';

const BATCH = 500;

/** Safe to repeat, also at the same time. */
export async function endTokens(
  { readStore, commands, clock }: Pick<ServicePorts, 'readStore' | 'commands' | 'clock'>,
  ends: { where: Condition; reason: 'expired' | 'deleted'; metadata: EventMetadata; signal: AbortSignal },
): Promise<void> {
  const { where, reason, metadata, signal } = ends;
  const today = clock().toISOString().slice(0, 10);
  for (let after: number[] | undefined; ; ) {
    const found = await readStore.find(openTokens, { where, sort: [asc('id')], limit: BATCH, after });
    for (const { id: tokenId } of found) {
      signal.throwIfAborted();
      const command = { type: 'EndPersonalAccessToken', tokenId, reason, today } as const;
      await commands.handle(accessTokenDecider, accessTokenStream(tokenId), command, metadata);
    }
    if (found.length < BATCH) return;
    after = [found.at(-1)!.id];
  }
}
