import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { Service } from '@forgelog/service-kit/service.ts';
import { freezePeriodRoutes } from './freeze-periods/freeze-period.routes.ts';
import { freezePeriodsProjection } from './freeze-periods/freeze-periods.projection.ts';

/** The ci service: a line a slice. */
export function createCi(ports: ServicePorts): Service {
  return {
    name: 'ci',
    implementations: [...freezePeriodRoutes(ports)],
    projections: [freezePeriodsProjection],
    policies: [],
  };
}
