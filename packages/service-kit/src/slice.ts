import type { ServiceName } from '@forgelog/contracts/endpoint.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import type { Projection } from '@forgelog/eventing/projection.ts';
import type { OperationImplementation } from './operations.ts';
import type { Implementation, PlaceholderKind, Service } from './service.ts';

/** Work that a slice does by itself while its service runs. */
export interface Worker {
  /** After the projections have caught up and before requests come. */
  start(): Promise<void>;
  /** After the last request. */
  stop(): Promise<void>;
}

/** Everything that a service has of one resource, made from the ports that the service gives. */
export interface Slice<Ports> {
  routes: readonly ((ports: Ports) => readonly Implementation[])[];
  projections: readonly Projection[];
  policies: readonly ((ports: Ports) => readonly Policy[])[];
  placeholders: readonly ((ports: Ports) => PlaceholderKind)[];
  /** What other services may ask of the slice: its `.operations.ts` file. */
  operations: readonly ((ports: Ports) => readonly OperationImplementation[])[];
  workers: readonly ((ports: Ports) => Worker)[];
}

export function defineSlice<Ports>(parts: Partial<Slice<Ports>>): Slice<Ports> {
  return {
    routes: [],
    projections: [],
    policies: [],
    placeholders: [],
    operations: [],
    workers: [],
    ...parts,
  };
}

/** A service of these slices. Workers start in their order and stop in reverse. */
export function composeService<Ports>(
  name: ServiceName,
  ports: Ports,
  slices: readonly Slice<Ports>[],
): Service & Worker {
  const workers = slices.flatMap((slice) => slice.workers.map((worker) => worker(ports)));
  return {
    name,
    implementations: slices.flatMap(({ routes }) => routes.flatMap((route) => route(ports))),
    projections: slices.flatMap(({ projections }) => projections),
    policies: slices.flatMap(({ policies }) => policies.flatMap((policy) => policy(ports))),
    placeholders: slices.flatMap(({ placeholders }) => placeholders.map((reference) => reference(ports))),
    operations: slices.flatMap(({ operations }) => operations.flatMap((operation) => operation(ports))),
    async start() {
      for (const worker of workers) await worker.start();
    },
    async stop() {
      for (const worker of workers.toReversed()) await worker.stop();
    },
  };
}
