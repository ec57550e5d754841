import { runService } from '@forgelog/host/run-process.ts';
import type { ServiceDefinition } from '@forgelog/host/service-process.ts';
import { createRepo } from './repo.ts';

export const repoProcess: ServiceDefinition = { name: 'repo', create: createRepo };

if (import.meta.main) runService(repoProcess);
