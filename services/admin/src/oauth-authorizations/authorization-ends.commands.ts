import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { inBatches } from '@forgelog/eventing/batches.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import type { Condition } from '@forgelog/eventing/query.ts';
import {
  type OauthAuthorizationCommand,
  oauthAuthorizationDecider,
  oauthAuthorizationStream,
} from './oauth-authorization.decider.ts';
import { openAuthorizations } from './open-authorizations.projection.ts';

const BATCH = 500;

interface Ends {
  where: Condition;
  reason: Extract<OauthAuthorizationCommand, { type: 'EndAuthorization' }>['reason'];
  metadata: EventMetadata;
  signal: AbortSignal;
}

/** Safe to repeat, also at the same time. */
export async function endAuthorizations(
  ports: Pick<ServicePorts, 'readStore' | 'commands' | 'clock'>,
  { where, reason, metadata, signal }: Ends,
): Promise<void> {
  const now = ports.clock().toISOString();
  for await (const found of inBatches(ports.readStore, openAuthorizations, { where, size: BATCH }))
    for (const { id: authorizationId } of found) {
      signal.throwIfAborted();
      const command = { type: 'EndAuthorization', authorizationId, reason, now } as const;
      const stream = oauthAuthorizationStream(authorizationId);
      await ports.commands.handle(oauthAuthorizationDecider, stream, command, metadata);
    }
}
