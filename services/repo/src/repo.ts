import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { Service } from '@forgelog/service-kit/service.ts';

/** The repo service: a line a slice. */
export function createRepo(_ports: ServicePorts): Service {
  return { name: 'repo', implementations: [], projections: [], policies: [] };
}
