import { runService } from '@forgelog/host/run-process.ts';
import type { ServiceDefinition } from '@forgelog/host/service-process.ts';
import { createCi } from './ci.ts';

export const ciProcess: ServiceDefinition = { name: 'ci', create: createCi };

if (import.meta.main) runService(ciProcess);
