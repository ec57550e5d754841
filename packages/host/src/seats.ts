import { randomUUID } from 'node:crypto';
import type { ServiceName } from '@forgelog/contracts/endpoint.ts';
import { onlySeat, type PolicySeats, sharedSeat } from '@forgelog/eventing/policy-seat.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import type { Registers } from '@forgelog/eventing/registers.ts';
import { replicaName, type SplitConfiguration } from './split-configuration.ts';

/** Whose turn it is, in one replica of a service. */
export interface Seats {
  /**
   * Taken in turn where registers are shared; else each replica runs its policies: double work, no double effect.
   * Instances of repo have one each, since each reacts for its own storage alone.
   */
  policies: PolicySeats;
  /** Taken in turn by all of a service, whatever their storage; without registers the first replica alone feeds. */
  feeds: PolicySeats | undefined;
}

export function createSeats(options: {
  service: ServiceName;
  configuration: SplitConfiguration;
  registers: Registers | undefined;
  readStore: ReadStore;
}): Seats {
  const { service, configuration, registers, readStore } = options;
  const { STORAGE, REPLICA } = configuration;
  const storage = service === 'repo' && STORAGE !== 'default' ? ` ${STORAGE}` : '';
  if (registers === undefined) {
    const own: PolicySeats = (name) => onlySeat(name, readStore);
    return { policies: own, feeds: REPLICA === 0 && storage === '' ? own : undefined };
  }
  const holder = `${replicaName(service, configuration)}-${randomUUID()}`;
  const shared: PolicySeats = (name) => sharedSeat({ name, registers, holder });
  return { policies: (name) => shared(name + storage), feeds: shared };
}
