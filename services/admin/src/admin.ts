import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { Service } from '@forgelog/service-kit/service.ts';

/** The admin service: a line a slice. */
export function createAdmin(_ports: ServicePorts): Service {
  return { name: 'admin', implementations: [], projections: [], policies: [] };
}
