import { adminService } from '@forgelog/admin/main.ts';
import { ciService } from '@forgelog/ci/main.ts';
import { gatewayEdge } from '@forgelog/gateway/gateway-edge.ts';
import {
  type Composition,
  createHostParts,
  type HostParts,
  type HostPartsOptions,
} from '@forgelog/host/host-parts.ts';
import { createRepo } from '@forgelog/repo/repo.ts';
import type { Configuration } from '@forgelog/service-kit/configuration.ts';
import { createMetrics } from '@forgelog/service-kit/telemetry/metrics.ts';
import { trackerService } from '@forgelog/tracker/main.ts';
import type { Stores } from './embedded-stores.ts';

export const allServices = (): Composition => ({
  services: [adminService, { name: 'repo', create: (ports) => createRepo(ports) }, trackerService, ciService],
  edge: gatewayEdge(),
});

type Configured = HostPartsOptions<Configuration>;

/** Assembles one process over its stores without starting it, for a rebuild or a verification. */
export function assemble(
  options: Stores &
    Pick<Configured, 'configuration' | 'log'> &
    Partial<Pick<Configured, 'externalUrl' | 'caughtUp'>>,
): HostParts {
  return createHostParts({
    externalUrl: '',
    caughtUp: async () => {},
    ...options,
    ...allServices(),
    clock: () => new Date(),
    revision: '',
    telemetry: { metrics: createMetrics() },
    position: () => '',
    barrier: () => '',
    pages: () => false,
  });
}
