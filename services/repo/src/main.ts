import type { ServiceDefinition } from '@forgelog/host/host-parts.ts';
import { runService } from '@forgelog/host/run-host.ts';
import type { SplitConfiguration } from '@forgelog/host/split-configuration.ts';
import { createRepo } from './repo.ts';

/** The instance of one storage among several. */
export const repoService: ServiceDefinition<SplitConfiguration> = {
  name: 'repo',
  create: (ports, { STORAGE, REPO_URL }) => createRepo(ports, { own: STORAGE, all: [...REPO_URL.keys()] }),
};

if (import.meta.main) runService(repoService);
