import { createHash } from 'node:crypto';
import type { ServiceName } from '@forgelog/contracts/endpoint.ts';
import { createProject } from '@forgelog/contracts/repo/projects/project.api.ts';
import type { Authorizer, ProjectSummary } from '@forgelog/service-kit/access.ts';
import type { Exchange } from '@forgelog/service-kit/dispatcher.ts';
import type { Logger } from '@forgelog/service-kit/log.ts';
import { unavailable } from '@forgelog/service-kit/unavailable.ts';
import { type Placement, readPlacement } from './placement.ts';

/** Who is to answer an exchange, and with which body. */
export interface Destination {
  /** Instances that can: the next one is asked where one does not answer. */
  urls: readonly string[];
  /** What was read of the request to find that out: the whole body. */
  body?: Buffer | undefined;
}

export interface ServiceAddresses {
  /** @throws Rejection `unavailable` where a storage has no address, and for a body that is too large */
  endpoint(service: Exclude<ServiceName, 'gateway'>, exchange: Exchange): Promise<Destination>;
  /** The instance that holds the repository of a project. @throws Rejection `unavailable` */
  repository(project: Pick<ProjectSummary, 'id' | 'storage'>): string;
  /** The instance that makes a project by a push to its address: the same for all requests of that push. */
  newRepository(path: string): string;
}

const RETRY_S = 5;

/**
 * Where each service is. Repositories are sharded by the name of their storage, which one instance of the repo service
 * holds: it answers whatever is of its projects. Every instance knows all projects, so that what is of none is answered
 * by each in turn; so are new projects made, unless an administrator names a storage (ADR 11).
 */
export function createServiceAddresses(
  settings: {
    REPO_URL: ReadonlyMap<string, string>;
    TRACKER_URL: string;
    CI_URL: string;
    ADMIN_URL: string;
  },
  { authorizer, log }: { authorizer: Pick<Authorizer, 'project'>; log: Logger },
): ServiceAddresses {
  const storages = settings.REPO_URL;
  const instances = [...storages.values()];
  let turn = 0;

  const from = (first: number) => [...instances.slice(first), ...instances.slice(0, first)];
  const inTurn = () => from(turn++ % instances.length);

  function repository({ id, storage }: Pick<ProjectSummary, 'id' | 'storage'>): string {
    const url = storages.get(storage);
    if (url !== undefined) return url;
    log.error({ projectId: id, storage }, 'REPO_URL has no address for a storage that holds a project');
    throw unavailable('the storage of this repository cannot be reached', RETRY_S);
  }

  async function placed(exchange: Exchange): Promise<Destination> {
    // Whoever is nobody is refused by any of them, and his body is not waited for.
    const placement: Placement = exchange.principal ? await readPlacement(exchange) : {};
    const wanted = placement.storage === undefined ? undefined : storages.get(placement.storage);
    return { urls: wanted === undefined ? inTurn() : [wanted], body: placement.body };
  }

  async function repo(exchange: Exchange): Promise<Destination> {
    if (instances.length === 1) return { urls: instances };
    const { endpoint, pathParams, principal } = exchange;
    if (endpoint.id === createProject.id) return placed(exchange);
    if (endpoint.access.kind !== 'project') return { urls: inTurn() };
    // Of what the caller may not see nothing shows, not even by who refuses him.
    const grant = await authorizer.project(pathParams[endpoint.access.param] ?? '', principal);
    return { urls: grant ? [repository(grant.project)] : inTurn() };
  }

  return {
    repository,
    newRepository: (path) =>
      instances[createHash('sha256').update(path.toLowerCase()).digest().readUInt32BE() % instances.length]!,
    async endpoint(service, exchange) {
      switch (service) {
        case 'repo':
          return repo(exchange);
        case 'tracker':
          return { urls: [settings.TRACKER_URL] };
        case 'ci':
          return { urls: [settings.CI_URL] };
        case 'admin':
          return { urls: [settings.ADMIN_URL] };
        default:
          return service satisfies never;
      }
    },
  };
}
