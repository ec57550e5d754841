import type { ServiceName } from '@forgelog/contracts/endpoint.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import type { Projection } from '@forgelog/eventing/projection.ts';
import type { OperationImplementation } from './operations.ts';
import type { Implementation, PlaceholderKind, Service } from './service.ts';

/** A background job of a slice, active while its service runs. */
export interface Worker {
  start(): Promise<void>;
  stop(): Promise<void>;
}

type SliceProjection<Ports> = Projection | ((ports: Ports) => Projection);

export const projectionOf = <Ports>(projection: SliceProjection<Ports>, ports: Ports): Projection =>
  typeof projection === 'function' ? projection(ports) : projection;

/** The parts that a slice contributes to its service. */
export interface Slice<Ports> {
  routes: readonly ((ports: Ports) => readonly Implementation[])[];
  /** A function makes a projection that tells a port what it applied. */
  projections: readonly SliceProjection<Ports>[];
  policies: readonly ((ports: Ports) => readonly Policy[])[];
  placeholders: readonly ((ports: Ports) => PlaceholderKind)[];
  /** Operations for other services: the slice's `.operations.ts` file. */
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

/** Builds a service of its slices. Workers start in order and stop in reverse. */
export function composeService<Ports>(
  name: ServiceName,
  ports: Ports,
  slices: readonly Slice<Ports>[],
): Service & Worker {
  const workers = slices.flatMap((slice) => slice.workers.map((worker) => worker(ports)));
  return {
    name,
    implementations: slices.flatMap(({ routes }) => routes.flatMap((route) => route(ports))),
    projections: slices.flatMap(({ projections }) =>
      projections.map((projection) => projectionOf(projection, ports)),
    ),
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
