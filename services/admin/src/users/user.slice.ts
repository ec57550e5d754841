import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { userRoutes } from './user.routes.ts';
import { userAccountRoutes } from './user-account.routes.ts';
import { userActivityRoutes } from './user-activity.routes.ts';
import { usersProjection } from './users.projection.ts';

export const userSlice = defineSlice<ServicePorts>({
  routes: [userRoutes, userAccountRoutes, userActivityRoutes],
  projections: [usersProjection],
});
