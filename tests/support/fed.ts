import type { FeedRelay } from '@forgelog/eventing/feed-relay.ts';
import { eventually } from './eventually.ts';

/** Resolves when all that is in the log has left through a relay. @throws Error that says where the relay stands */
export async function fed(relay: FeedRelay): Promise<void> {
  await eventually('all that is in the log has left', () => relay.idle({ timeoutMs: 1_000 }), {
    detail: () => {
      const { position, failing } = relay.status();
      return `The relay is at ${position}${failing ? `, and fails: ${failing.error}` : ''}.`;
    },
  });
}
