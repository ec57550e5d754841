import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { BEGINNING } from '@forgelog/eventing/event.ts';
import { CorruptLogError } from '@forgelog/eventing/event-store.ts';
import { type Followers, lostEvents } from '@forgelog/host/lost-events.ts';
import type { Stores } from './embedded-stores.ts';

/**
 * Detects a log that has lost events: readers only see events that are on disk, so none may be ahead of it. Its
 * write-ahead file was cut, or an old copy was restored. Going on would reuse the lost positions and ids.
 * @throws CorruptLogError
 */
export async function requireWholeLog(
  { store, readStore }: Stores,
  given: Followers & { dataDir: string },
): Promise<void> {
  const lost = await lostEvents({ store, readStore }, given);
  if (lost)
    throw new CorruptLogError(
      `The event log in ${given.dataDir} has lost events: it ends at ${lost.head || 'its beginning'}, and ${lost.name} ` +
        `has seen events up to ${lost.seen}. Put events.db back from a copy that is as new. If this log is the one that ` +
        'shall hold, accept it with `npm run rebuild`.',
    );
  const head = await store.head();
  const repositories = await readdir(join(given.dataDir, 'repositories', '@hashed')).catch(() => []);
  if (head === BEGINNING && repositories.length > 0)
    throw new CorruptLogError(
      `The event log in ${given.dataDir} is empty, and repositories are there. Put events.db back from a copy, or ` +
        'start with another data folder.',
    );
}
