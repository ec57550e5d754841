import type { ServiceName } from '@forgelog/contracts/endpoint.ts';
import type { Exchange } from '@forgelog/service-kit/dispatcher.ts';

export interface ServiceAddresses {
  /** The instance that answers an exchange. */
  endpoint(service: Exclude<ServiceName, 'gateway'>, exchange: Exchange): string;
  /** The instance that holds the repository of a project. */
  repository(projectId: number): string;
}

/**
 * Where each service is. Repositories are sharded by the name of their storage, which one instance of the repo
 * service holds; whatever is of no repository any of them answers. Every repository is in `default` today.
 */
export function createServiceAddresses(settings: {
  REPO_URL: ReadonlyMap<string, string>;
  TRACKER_URL: string;
  CI_URL: string;
  ADMIN_URL: string;
}): ServiceAddresses {
  const repository = () => settings.REPO_URL.get('default')!;
  return {
    repository,
    endpoint(service) {
      switch (service) {
        case 'repo':
          return repository();
        case 'tracker':
          return settings.TRACKER_URL;
        case 'ci':
          return settings.CI_URL;
        case 'admin':
          return settings.ADMIN_URL;
        default:
          return service satisfies never;
      }
    },
  };
}
