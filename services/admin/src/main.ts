import type { ServiceDefinition } from '@forgelog/host/host-parts.ts';
import { runService } from '@forgelog/host/run-host.ts';
import { createAdmin } from './admin.ts';
import { ensureFirstAdministrator } from './first-administrator.ts';

export const adminService: ServiceDefinition = {
  name: 'admin',
  create: createAdmin,
  prepare: ensureFirstAdministrator,
};

if (import.meta.main) runService(adminService);
