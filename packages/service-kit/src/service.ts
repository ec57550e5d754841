import type { AnyEndpoint, ServiceName } from '@forgelog/contracts/endpoint.ts';
import type { Operation } from '@forgelog/contracts/operation.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import type { Projection } from '@forgelog/eventing/projection.ts';
import type { Answer } from './answer.ts';
import type { ApiRequest } from './api-request.ts';
import type { OperationImplementation } from './operations.ts';

/** An endpoint with the handler that serves it. */
export interface Implementation {
  endpoint: AnyEndpoint;
  handle(request: ApiRequest): Promise<Answer>;
}

export function implement<E extends AnyEndpoint>(
  endpoint: E,
  handle: (request: ApiRequest<E>) => Promise<Answer>,
): Implementation {
  return { endpoint, handle: handle as Implementation['handle'] };
}

/** A service: what it answers, what it reads from the log, and how placeholders of its kinds are filled in. */
export interface Service {
  name: ServiceName;
  implementations: readonly Implementation[];
  projections: readonly Projection[];
  policies: readonly Policy[];
  placeholders?: readonly PlaceholderKind[];
  /** What other services may ask of it. */
  operations?: readonly OperationImplementation[];
  /**
   * Its GET answers follow from the read models, the caller and the day alone, so they hold until the log grows.
   * Not so where git, files or a clock are asked.
   */
  answersFromReadModels?: boolean;
  /** After the projections have caught up and before requests come. */
  start?(): Promise<void>;
  /** At the beginning of a stop, before connections are waited for: ends answers that would never end. */
  drain?(): void;
  /** After the last request. */
  stop?(): Promise<void>;
}

/** How placeholders of one kind (their first letter) become text; see json-template.ts. */
export interface PlaceholderKind {
  kind: string;
  /** undefined when it is not at hand. */
  resolve(id: string): string | undefined;
  load(ids: readonly string[]): Promise<void>;
}

/**
 * A service must implement each endpoint and operation that the contracts give it, once, and nothing else.
 * @throws Error naming what is missing or superfluous, before anything listens
 */
export function checkImplementations(
  service: Service,
  endpoints: readonly AnyEndpoint[],
  operations: readonly Operation[] = [],
): void {
  const isOwn = (contract: AnyEndpoint | Operation) => contract.service === service.name;
  const owned = new Set<AnyEndpoint | Operation>([...endpoints, ...operations].filter(isOwn));
  const seen = new Set<AnyEndpoint | Operation>();
  const problems: string[] = [];
  const implemented = [
    ...service.implementations.map(({ endpoint }) => endpoint),
    ...(service.operations ?? []).map(({ operation }) => operation),
  ];
  for (const contract of implemented) {
    if (seen.has(contract)) problems.push(`${contract.id} is implemented twice`);
    if (!owned.has(contract)) problems.push(`${contract.id} is implemented but not this service's`);
    seen.add(contract);
  }
  for (const contract of owned) if (!seen.has(contract)) problems.push(`${contract.id} is not implemented`);
  if (problems.length > 0)
    throw new Error(
      `service ${service.name} cannot start: ${problems.join('; ')}. ` +
        `Its slices are named in services/${service.name}/src/${service.name}.ts, the contracts in endpoints.ts and operations.ts of packages/contracts/src`,
    );
}
