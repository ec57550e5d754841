import type { ServiceDefinition } from '@forgelog/host/host-parts.ts';
import { runService } from '@forgelog/host/run-host.ts';
import { createCi } from './ci.ts';

export const ciService: ServiceDefinition = { name: 'ci', create: createCi };

if (import.meta.main) runService(ciService);
