import { runService } from '@forgelog/host/run-process.ts';
import type { ServiceDefinition } from '@forgelog/host/service-process.ts';
import { createRepo } from './repo.ts';

export const repoProcess: ServiceDefinition = {
  name: 'repo',
  create: (ports, { STORAGE, REPO_URL }) => createRepo(ports, { own: STORAGE, all: [...REPO_URL.keys()] }),
};

if (import.meta.main) runService(repoProcess);
