import { removeUnnamedAvatars } from '@forgelog/service-kit/avatar-ends.ts';
import { createObjectSweeper } from '@forgelog/service-kit/object-sweeper.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import type { RepoPorts } from '../ports.ts';
import { projectAvatarPolicies } from './project-avatar.policy.ts';
import { projectAvatar, projectAvatarRoutes } from './project-avatar.routes.ts';

export const projectAvatarSlice = defineSlice<RepoPorts>({
  routes: [projectAvatarRoutes],
  policies: [projectAvatarPolicies],
  workers: [
    (ports) =>
      createObjectSweeper(ports, 'avatars that are no project’s', (signal) =>
        removeUnnamedAvatars(ports, 'project', (id) => projectAvatar(ports.readStore, id), signal),
      ),
  ],
});
