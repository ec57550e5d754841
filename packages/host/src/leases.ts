import { randomUUID } from 'node:crypto';
import type { ServiceName } from '@forgelog/contracts/endpoint.ts';
import { type Leases, localLease } from '@forgelog/eventing/lease.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import { registerLeases } from '@forgelog/eventing/register-lease.ts';
import type { Registers } from '@forgelog/eventing/registers.ts';
import { replicaName, type SplitConfiguration } from './split-configuration.ts';

export interface HostLeases {
  /**
   * Shared through registers. Without registers each replica runs its policies: double work, no double effect.
   * Each storage of repo has its own, because its instances react for that storage alone.
   */
  policies: Leases;
  /** One for all storages of a service. Without registers only the first replica feeds. */
  feeds: Leases | undefined;
}

export function createLeases(options: {
  service: ServiceName;
  configuration: SplitConfiguration;
  registers: Registers | undefined;
  readStore: ReadStore;
}): HostLeases {
  const { service, configuration, registers, readStore } = options;
  const { STORAGE, REPLICA } = configuration;
  const storage = service === 'repo' && STORAGE !== 'default' ? ` ${STORAGE}` : '';
  if (registers === undefined) {
    const own: Leases = (name) => localLease(name, readStore);
    return { policies: own, feeds: REPLICA === 0 && storage === '' ? own : undefined };
  }
  const holder = `${replicaName(service, configuration)}-${randomUUID()}`;
  const shared = registerLeases({ registers, presences: `replicas:${service}`, holder });
  return { policies: (name) => shared(name + storage), feeds: shared };
}
