import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { hookProjectsProjection } from './hook-projects.projection.ts';
import { hookWikiPagesProjection } from './hook-wiki-pages.projection.ts';
import { webHookRoutes } from './web-hook.routes.ts';
import { webHookPolicies } from './web-hooks.policy.ts';
import { webHooksProjection } from './web-hooks.projection.ts';

export const webHookSlice = defineSlice<ServicePorts>({
  routes: [webHookRoutes],
  projections: [webHooksProjection, hookProjectsProjection, hookWikiPagesProjection],
  policies: [webHookPolicies],
});
