import type { ServiceDefinition } from '@forgelog/host/host-parts.ts';
import { createCi } from './ci.ts';

export const ciService: ServiceDefinition = { name: 'ci', create: createCi };

if (import.meta.main) {
  // One process for all services needs none of it.
  const { runService } = await import('@forgelog/host/run-service.ts');
  runService(ciService);
}
