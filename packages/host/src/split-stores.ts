import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceName } from '@forgelog/contracts/endpoint.ts';
import { ACCESS_STREAM } from '@forgelog/contracts/gateway/access-log/access-log.events.ts';
import { openEventStoreDbEventStore } from '@forgelog/eventing/adapters/eventstoredb/eventstoredb-event-store.ts';
import { openEventStoreDbExpiringStream } from '@forgelog/eventing/adapters/eventstoredb/eventstoredb-expiring-stream.ts';
import { openSqliteReadStore } from '@forgelog/eventing/adapters/sqlite/sqlite-read-store.ts';
import type { EventStore } from '@forgelog/eventing/event-store.ts';
import type { ExpiringStream } from '@forgelog/eventing/expiring-stream.ts';
import { sharedTail } from '@forgelog/eventing/shared-tail.ts';
import { ConfigurationError } from '@forgelog/service-kit/configuration.ts';
import type { HostStores } from './host-parts.ts';
import { replicaName, type SplitConfiguration } from './split-configuration.ts';

/** @throws ConfigurationError, with every store closed again */
export async function openSplitStores(
  configuration: SplitConfiguration,
  service: ServiceName,
): Promise<HostStores> {
  const store = openLog(configuration);
  const opened: { close(): Promise<void> }[] = [store];
  const accessLog = service === 'gateway' ? openAccessLog(configuration) : undefined;
  if (accessLog) opened.push(accessLog);
  try {
    const replica = replicaName(service, configuration);
    const url = configuration.MONGODB_URL;
    if (url === undefined) {
      const folder = join(configuration.DATA_DIR, replica);
      await mkdir(folder, { recursive: true });
      return {
        store,
        accessLog,
        readStore: await openSqliteReadStore({ path: join(folder, 'read-models.db') }),
      };
    }
    const { openMongodbRegisters } = await import('@forgelog/eventing/adapters/mongodb/mongodb-registers.ts');
    const { openMongodbReadStore } = await import(
      '@forgelog/eventing/adapters/mongodb/mongodb-read-store.ts'
    );
    const database = databaseOf(url);
    const registers = await openMongodbRegisters({ url, database });
    opened.push(registers);
    return {
      store,
      accessLog,
      registers,
      readStore: await openMongodbReadStore({ url, database: `${database}_${replica}` }),
    };
  } catch (error) {
    for (const one of opened) await one.close();
    throw error;
  }
}

function openLog({ EVENTSTORE_URL }: SplitConfiguration): EventStore {
  if (EVENTSTORE_URL === undefined)
    throw new ConfigurationError('EVENTSTORE_URL: is required where services run apart');
  try {
    return sharedTail(openEventStoreDbEventStore({ url: EVENTSTORE_URL }));
  } catch (error) {
    throw new ConfigurationError(`EVENTSTORE_URL: ${(error as Error).message}`);
  }
}

function openAccessLog({
  EVENTSTORE_URL,
  ACCESS_LOG_DAYS: keepDays,
}: SplitConfiguration): ExpiringStream | undefined {
  if (keepDays === 0) return undefined;
  return openEventStoreDbExpiringStream({ url: EVENTSTORE_URL!, name: ACCESS_STREAM, keepDays });
}

function databaseOf(url: string): string {
  const [, name] = /^[^/]+\/\/[^/]+\/([^?]+)/.exec(url) ?? [];
  return name ?? 'forgelog';
}
