import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ACCESS_STREAM } from '@forgelog/contracts/gateway/access-log/access-log.events.ts';
import { openMemoryEventStore } from '@forgelog/eventing/adapters/memory/memory-event-store.ts';
import { openMemoryReadStore } from '@forgelog/eventing/adapters/memory/memory-read-store.ts';
import { openSqliteEventStore } from '@forgelog/eventing/adapters/sqlite/sqlite-event-store.ts';
import { openSqliteExpiringStream } from '@forgelog/eventing/adapters/sqlite/sqlite-expiring-stream.ts';
import { openSqliteReadStore } from '@forgelog/eventing/adapters/sqlite/sqlite-read-store.ts';
import { CorruptLogError, type EventStore } from '@forgelog/eventing/event-store.ts';
import type { ExpiringStream } from '@forgelog/eventing/expiring-stream.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import { requireDataFolder } from '@forgelog/host/data-folder.ts';
import type { Configuration } from '@forgelog/service-kit/configuration.ts';

/** Marks a data folder whose restore has not ended. */
export const UNFINISHED_RESTORE = 'restore-unfinished';

export interface Stores {
  store: EventStore;
  readStore: ReadStore;
}

/** Opens the access log in the data folder; undefined where it is off. @throws CorruptLogError */
export function openAccessLog(
  { DATA_DIR, ACCESS_LOG_DAYS: keepDays }: Pick<Configuration, 'DATA_DIR' | 'ACCESS_LOG_DAYS'>,
  clock = () => new Date(),
): ExpiringStream | undefined {
  if (keepDays === 0) return undefined;
  return openSqliteExpiringStream({
    path: join(DATA_DIR, 'access.db'),
    name: ACCESS_STREAM,
    keepDays,
    clock,
  });
}

export type OpenStores = (configuration: Pick<Configuration, 'DATA_DIR'>) => Promise<Stores>;

/** Opens the log and the read models, each a SQLite file in the data folder. */
export const openEmbeddedStores: OpenStores = async ({ DATA_DIR }) => {
  if (existsSync(join(DATA_DIR, UNFINISHED_RESTORE)))
    throw new CorruptLogError(
      `The restore into ${DATA_DIR} has not ended. Run \`npm run restore\` again: it begins anew.`,
    );
  await requireDataFolder(DATA_DIR);
  const store = await openSqliteEventStore({ path: join(DATA_DIR, 'events.db') });
  try {
    return { store, readStore: await openSqliteReadStore({ path: join(DATA_DIR, 'read-models.db') }) };
  } catch (error) {
    await store.close();
    throw error;
  }
};

export const openMemoryStores: OpenStores = async () => ({
  store: openMemoryEventStore(),
  readStore: openMemoryReadStore(),
});
