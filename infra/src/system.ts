import type { HostSurroundings, RunningHost } from '@forgelog/host/host-options.ts';
import { startHost } from '@forgelog/host/start-host.ts';
import type { Configuration } from '@forgelog/service-kit/configuration.ts';
import { allServices } from './assembly.ts';
import type { OpenStores } from './embedded-stores.ts';
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
    openStores: () => options.openStores(configuration),
    checkStores: (stores, { projections, policies }) =>
      requireWholeLog(stores, { dataDir: configuration.DATA_DIR, projections, policies }),
  });
}
