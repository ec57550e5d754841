import type { ServiceDefinition } from '@forgelog/host/host-parts.ts';
import { createAdmin } from './admin.ts';
import { ensureFirstAdministrator } from './first-administrator.ts';

export const adminService: ServiceDefinition = {
  name: 'admin',
  create: createAdmin,
  prepare: ensureFirstAdministrator,
};

if (import.meta.main) {
  // One process for all services needs none of it.
  const { runService } = await import('@forgelog/host/run-service.ts');
  runService(adminService);
}
