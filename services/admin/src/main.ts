import { runService } from '@forgelog/host/run-process.ts';
import type { ServiceDefinition } from '@forgelog/host/service-process.ts';
import { createAdmin } from './admin.ts';
import { ensureFirstAdministrator } from './first-administrator.ts';

export const adminProcess: ServiceDefinition = {
  name: 'admin',
  create: createAdmin,
  async firstStart(ports) {
    const { madeToken } = await ensureFirstAdministrator(ports);
    return madeToken && `Administrator root, personal access token (shown only now): ${madeToken}`;
  },
};

if (import.meta.main) runService(adminProcess);
