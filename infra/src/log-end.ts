import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { BEGINNING } from '@forgelog/eventing/event.ts';
import { CorruptLogError } from '@forgelog/eventing/event-store.ts';
import { feedCheckpoint } from '@forgelog/eventing/feed-relay.ts';
import { policyCheckpoint } from '@forgelog/eventing/policy.ts';
import { KAFKA } from '@forgelog/host/kafka-relay.ts';
import type { Stores } from './embedded-stores.ts';

/**
 * Detects a log that has lost events: readers only see events that are on disk, so none may be ahead of it. Its
 * write-ahead file was cut, or an old copy was restored. Going on would reuse the lost positions and ids.
 * @throws CorruptLogError
 */
export async function requireWholeLog(
  { store, readStore }: Stores,
  given: { dataDir: string; projections: readonly { name: string }[]; policies: readonly { name: string }[] },
): Promise<void> {
  const head = await store.head();
  const names = [
    ...given.projections.map(({ name }) => name),
    ...given.policies.map(({ name }) => policyCheckpoint(name)),
    feedCheckpoint(KAFKA),
  ];
  for (const name of names) {
    const seen = await readStore.checkpoint(name);
    if (seen <= head) continue;
    throw new CorruptLogError(
      `The event log in ${given.dataDir} has lost events: it ends at ${head || 'its beginning'}, and ${name} has seen ` +
        `events up to ${seen}. Put events.db back from a copy that is as new. If this log is the one that shall hold, ` +
        'accept it with `npm run rebuild`.',
    );
  }
  const repositories = await readdir(join(given.dataDir, 'repositories', '@hashed')).catch(() => []);
  if (head === BEGINNING && repositories.length > 0)
    throw new CorruptLogError(
      `The event log in ${given.dataDir} is empty, and repositories are there. Put events.db back from a copy, or ` +
        'start with another data folder.',
    );
}
