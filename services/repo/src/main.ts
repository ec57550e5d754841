import type { ServiceDefinition } from '@forgelog/host/host-parts.ts';
import type { SplitConfiguration } from '@forgelog/host/split-configuration.ts';
import { createRepo } from './repo.ts';

/** The repo service by itself, as the instance of one storage. */
export const repoService: ServiceDefinition<SplitConfiguration> = {
  name: 'repo',
  create: (ports, { STORAGE, REPO_URL }) => createRepo(ports, { own: STORAGE, all: [...REPO_URL.keys()] }),
};

if (import.meta.main) {
  // One process for all services needs none of it.
  const { runService } = await import('@forgelog/host/run-service.ts');
  runService(repoService);
}
