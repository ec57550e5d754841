import { localLease } from '@forgelog/eventing/lease.ts';
import { createProjectors } from '@forgelog/eventing/projector.ts';
import type { Configuration } from '@forgelog/service-kit/configuration.ts';
import { addLagMetrics } from '@forgelog/service-kit/telemetry/lag-metrics.ts';
import { addProgressMetrics } from '@forgelog/service-kit/telemetry/progress-metrics.ts';
import type { Telemetry } from '@forgelog/service-kit/telemetry/telemetry.ts';
import type { HostOptions } from './host-options.ts';
import type { HostParts, HostStores } from './host-parts.ts';
import { createKafkaRelays, relayed } from './kafka-relay.ts';

interface FollowersOptions<C extends Configuration>
  extends HostStores,
    Pick<HostOptions<C>, 'configuration' | 'log' | 'leases' | 'feedPart' | 'openFeed'> {
  clock: () => Date;
  telemetry: Telemetry;
  parts: HostParts;
}

export async function createFollowers<C extends Configuration>(options: FollowersOptions<C>) {
  const { store, accessLog, readStore, registers, clock, telemetry, configuration, log, openFeed, parts } =
    options;
  const { catalogue, projections, policies, feeds } = parts;
  const own = (name: string) => localLease(name, readStore);
  const leases = options.leases?.({ store, readStore, registers }) ?? { policies: own, feeds: own };
  const projectors = createProjectors({
    ...{ store, readStore, catalogue, projections, policies, log },
    leases: leases.policies,
  });
  const relays = await createKafkaRelays({
    ...{ configuration, store, accessLog, clock, catalogue, log, openFeed },
    part: options.feedPart,
    leases: leases.feeds,
    tracing: { tracer: telemetry.tracer, clock },
  });
  addProgressMetrics(telemetry.metrics, projectors);
  addLagMetrics(telemetry.metrics, {
    ...{ store, clock },
    projections: projectors.status,
    policies: projectors.policies,
    feeds: () => [...feeds(), ...relayed(relays.log), ...relayed(relays.access, relays.accessLog)],
  });
  return { projectors, relays };
}
