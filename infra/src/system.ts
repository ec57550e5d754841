import type { HostSurroundings, RunningHost } from '@forgelog/host/host-options.ts';
import type { HostStores } from '@forgelog/host/host-parts.ts';
import { startHost } from '@forgelog/host/start-host.ts';
import type { Configuration } from '@forgelog/service-kit/configuration.ts';
import { allServices } from './assembly.ts';
import { type OpenStores, openAccessLog, type Stores } from './embedded-stores.ts';
import { requireWholeLog } from './log-end.ts';

export interface SystemOptions extends HostSurroundings<Configuration> {
  openStores: OpenStores;
}

export type System = RunningHost;

/** Starts all services in one process on embedded stores. Closes everything if the start fails. */
export function startSystem(options: SystemOptions): Promise<System> {
  const { configuration } = options;
  return startHost({
    ...options,
    ...allServices(),
    name: 'forgelog',
    storesInDataDir: true,
    openStores: () => openStores(options),
    checkStores: (stores, { projections, policies }) =>
      requireWholeLog(stores, { dataDir: configuration.DATA_DIR, projections, policies }),
  });
}

async function openStores({ openStores: open, configuration, clock }: SystemOptions): Promise<HostStores> {
  const stores = await open(configuration);
  try {
    return { ...stores, accessLog: openAccessLog(configuration, clock) };
  } catch (error) {
    await closeAll(stores);
    throw error;
  }
}

const closeAll = ({ store, readStore }: Stores) => Promise.all([store.close(), readStore.close()]);
