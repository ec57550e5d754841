import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { avatarPolicies } from './avatar.policy.ts';
import { avatarRoutes } from './avatar.routes.ts';
import { unnamedAvatarSweeper } from './unnamed-avatars.worker.ts';

export const avatarSlice = defineSlice<ServicePorts>({
  routes: [avatarRoutes],
  policies: [avatarPolicies],
  workers: [unnamedAvatarSweeper],
});
