import type { Policy } from '@forgelog/eventing/policy.ts';
import { recorded } from '@forgelog/eventing/testing/projecting.ts';
import type { StreamedEvent } from './sample-events.ts';

/**
 * Gives an event to each policy that handles it, twice, as after a crash.
 * @param position tells it from other events that the policies are given
 * @throws where none does
 */
export async function react(
  policies: readonly Policy[],
  { stream, event }: StreamedEvent,
  position = 1,
): Promise<void> {
  const handling = policies.filter(({ handles }) => handles.includes(event.type));
  if (handling.length === 0) throw new Error(`no policy handles ${event.type}`);
  const one = { ...recorded(position, event), stream };
  for (const policy of [...handling, ...handling]) await policy.react(one, new AbortController().signal);
}
