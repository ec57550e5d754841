import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { Service } from '@forgelog/service-kit/service.ts';

/** The tracker service: a line a slice. */
export function createTracker(_ports: ServicePorts): Service {
  return { name: 'tracker', implementations: [], projections: [], policies: [] };
}
