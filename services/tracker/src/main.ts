import type { ServiceDefinition } from '@forgelog/host/host-parts.ts';
import { runService } from '@forgelog/host/run-host.ts';
import { createTracker } from './tracker.ts';

export const trackerService: ServiceDefinition = { name: 'tracker', create: createTracker };

if (import.meta.main) runService(trackerService);
