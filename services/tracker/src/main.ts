import type { ServiceDefinition } from '@forgelog/host/host-parts.ts';
import { createTracker } from './tracker.ts';

export const trackerService: ServiceDefinition = { name: 'tracker', create: createTracker };

if (import.meta.main) {
  // One process for all services needs none of it.
  const { runService } = await import('@forgelog/host/run-service.ts');
  runService(trackerService);
}
