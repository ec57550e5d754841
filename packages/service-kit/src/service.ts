import type { AnyEndpoint, ServiceName } from '@forgelog/contracts/endpoint.ts';
import type { Operation } from '@forgelog/contracts/operation.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import type { Projection } from '@forgelog/eventing/projection.ts';
import type { Answer } from './answer.ts';
import type { ApiRequest } from './api-request.ts';
import type { OperationImplementation } from './operations.ts';

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

/** A service: its endpoints, projections and policies, and the placeholders it resolves. */
export interface Service {
  name: ServiceName;
  implementations: readonly Implementation[];
  projections: readonly Projection[];
  policies: readonly Policy[];
  placeholders?: readonly PlaceholderKind[];
  operations?: readonly OperationImplementation[];
  /**
   * Declares that GET answers depend only on the read models, the caller and the day, so they may be cached until the
   * log grows. False where a handler reads git, files or a clock.
   */
  answersFromReadModels?: boolean;
  /** Called after the projections have caught up and before requests arrive. */
  start?(): Promise<void>;
  /** Called when a stop begins, before connections drain: ends answers that would never end. */
  drain?(): void;
  /** Called after the last request. */
  stop?(): Promise<void>;
}

/** Resolves the placeholders of one letter; see json-template.ts. */
export interface PlaceholderKind {
  kind: string;
  /** undefined when it is not in memory. */
  resolve(id: string): string | undefined;
  /** Texts by id. */
  load(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/**
 * Requires that a service implements exactly its own endpoints and operations, each once.
 * @throws Error naming the missing or superfluous ones, before anything listens
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
