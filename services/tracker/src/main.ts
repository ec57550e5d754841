import { runService } from '@forgelog/host/run-process.ts';
import type { ServiceDefinition } from '@forgelog/host/service-process.ts';
import { createTracker } from './tracker.ts';

export const trackerProcess: ServiceDefinition = { name: 'tracker', create: createTracker };

if (import.meta.main) runService(trackerProcess);
