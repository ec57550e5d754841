import type { Peers, ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { Service } from '@forgelog/service-kit/service.ts';

/** What other services may ask of this one. */
export type RepoPeer = Pick<Peers, 'projectsOfGroup'>;

/** The repo service: a line a slice. */
export function createRepo(_ports: ServicePorts): Service & { peer: RepoPeer } {
  return {
    name: 'repo',
    implementations: [],
    projections: [],
    policies: [],
    peer: {
      async projectsOfGroup() {
        return { kind: 'list', items: [], next: { by: 'offset', total: 0, more: false } };
      },
    },
  };
}
