/* The product on an event log that differs in one option (VARIANT), to measure its cost. */
import { join } from 'node:path';
import { openSqliteEventStore } from '@forgelog/eventing/adapters/sqlite/sqlite-event-store.ts';
import { openSqliteReadStore } from '@forgelog/eventing/adapters/sqlite/sqlite-read-store.ts';
import { startSystem } from '@forgelog/infra/system.ts';
import { readConfiguration } from '@forgelog/service-kit/configuration.ts';
import { createLogger } from '@forgelog/service-kit/log.ts';

const VARIANTS: Readonly<Record<string, { synchronous?: 'OFF'; maxGroup?: number }>> = {
  product: {},
  'one-commit': { maxGroup: 1 },
  'no-sync': { synchronous: 'OFF' },
};

const configuration = readConfiguration(process.env);
const system = await startSystem({
  configuration,
  log: createLogger(configuration),
  async openStores({ DATA_DIR }) {
    const variant = VARIANTS[process.env.VARIANT ?? 'product'];
    const store = await openSqliteEventStore({ path: join(DATA_DIR, 'events.db'), ...variant });
    return { store, readStore: await openSqliteReadStore({ path: join(DATA_DIR, 'read-models.db') }) };
  },
});
process.on('SIGTERM', () => void system.stop().then(() => process.exit(0)));
