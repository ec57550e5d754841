import type { Position } from '@forgelog/eventing/event.ts';
import { feedCheckpoint } from '@forgelog/eventing/feed-relay.ts';
import { policyCheckpoint } from '@forgelog/eventing/policy.ts';
import type { HostStores } from './host-parts.ts';
import { KAFKA } from './kafka-relay.ts';

export interface Followers {
  projections: readonly { name: string }[];
  policies: readonly { name: string }[];
}

/** A follower that is ahead of the log, whose last events are therefore gone; undefined where there is none. */
export async function lostEvents(
  { store, readStore }: Pick<HostStores, 'store' | 'readStore'>,
  { projections, policies }: Followers,
): Promise<{ name: string; seen: Position; head: Position } | undefined> {
  const head = await store.head();
  const names = [
    ...projections.map(({ name }) => name),
    ...policies.map(({ name }) => policyCheckpoint(name)),
    feedCheckpoint(KAFKA),
  ];
  for (const name of names) {
    const seen = await readStore.checkpoint(name);
    if (seen > head) return { name, seen, head };
  }
  return undefined;
}
