import { createHash } from 'node:crypto';
import type { AnyEndpoint, ServiceName } from '@forgelog/contracts/endpoint.ts';
import { createProject } from '@forgelog/contracts/repo/projects/project.api.ts';
import type { Authorizer, ProjectSummary } from '@forgelog/service-kit/access.ts';
import type { Exchange } from '@forgelog/service-kit/dispatcher.ts';
import type { Logger } from '@forgelog/service-kit/log.ts';
import { unavailable } from '@forgelog/service-kit/unavailable.ts';
import { type Placement, readPlacement } from './placement.ts';

/** Whether bytes come or go as they are, and not as parameters and JSON. */
const isOfFiles = ({ bodyTypes, mediaTypes }: AnyEndpoint): boolean =>
  bodyTypes.length > 0 || mediaTypes.length > 0;

/** The instances that can answer an exchange, and its body if that was read. */
export interface Destination {
  /** Tried in this order until one answers. */
  urls: readonly string[];
  /** The whole request body, if routing had to read it. */
  body?: Buffer | undefined;
}

export interface ServiceAddresses {
  /** @throws Rejection `unavailable` if a storage has no address, `too_large` for the body */
  endpoint(service: Exclude<ServiceName, 'gateway'>, exchange: Exchange): Promise<Destination>;
  /** The address of the instance that holds a project's repository. @throws Rejection `unavailable` */
  repository(project: Pick<ProjectSummary, 'id' | 'storage'>): string;
  /** The address of the instance that creates a project on push. One path always gives one address. */
  newRepository(path: string): string;
}

const RETRY_S = 5;

/**
 * Finds the instances of each service. Repositories are sharded by storage, and one repo instance holds a storage and
 * answers for its projects. All other requests go round-robin, new projects too unless an administrator names a storage
 * (ADR 11).
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
  let next = 0;

  const from = (first: number) => [...instances.slice(first), ...instances.slice(0, first)];
  const roundRobin = () => from(next++ % instances.length);

  function repository({ id, storage }: Pick<ProjectSummary, 'id' | 'storage'>): string {
    const url = storages.get(storage);
    if (url !== undefined) return url;
    log.error({ projectId: id, storage }, 'REPO_URL has no address for a storage that holds a project');
    throw unavailable('the storage of this repository cannot be reached', RETRY_S);
  }

  async function newProject(exchange: Exchange): Promise<Destination> {
    // Any instance refuses an anonymous caller, so their body need not be read.
    const placement: Placement = exchange.principal ? await readPlacement(exchange) : {};
    const wanted = placement.storage === undefined ? undefined : storages.get(placement.storage);
    return { urls: wanted === undefined ? roundRobin() : [wanted], body: placement.body };
  }

  async function repo(exchange: Exchange): Promise<Destination> {
    if (instances.length === 1) return { urls: instances };
    const { endpoint, pathParams, principal } = exchange;
    if (endpoint.id === createProject.id) return newProject(exchange);
    // Files of groups lie with the first storage: no other instance would find them on its disk.
    if (endpoint.access.kind === 'group' && isOfFiles(endpoint)) return { urls: [instances[0]!] };
    if (endpoint.access.kind !== 'project') return { urls: roundRobin() };
    // Do not reveal a hidden project's existence by which instance answers: send it to any.
    const grant = await authorizer.project(pathParams[endpoint.access.param] ?? '', principal);
    return { urls: grant ? [repository(grant.project)] : roundRobin() };
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
