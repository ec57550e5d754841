import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { Service } from '@forgelog/service-kit/service.ts';
import { environmentRoutes } from './environments/environment.routes.ts';
import { environmentsProjection } from './environments/environments.projection.ts';
import { reviewAppSweeper } from './environments/review-apps.ts';
import { freezePeriodRoutes } from './freeze-periods/freeze-period.routes.ts';
import { freezePeriodsProjection } from './freeze-periods/freeze-periods.projection.ts';

/** The ci service: a line a slice. */
export function createCi(ports: ServicePorts): Service {
  const sweeper = reviewAppSweeper(ports);
  return {
    name: 'ci',
    implementations: [...environmentRoutes(ports), ...freezePeriodRoutes(ports)],
    projections: [environmentsProjection, freezePeriodsProjection],
    policies: [],
    start: () => sweeper.start(),
    stop: () => sweeper.stop(),
  };
}
