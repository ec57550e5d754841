import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { Service } from '@forgelog/service-kit/service.ts';
import { accessTokenRoutes } from './access-tokens/access-token.routes.ts';
import { accessTokensProjection } from './access-tokens/access-tokens.projection.ts';
import { userRoutes } from './users/user.routes.ts';
import { userAccountRoutes } from './users/user-account.routes.ts';
import { usersProjection } from './users/users.projection.ts';

/** The admin service: a line a slice. */
export function createAdmin(ports: ServicePorts): Service {
  return {
    name: 'admin',
    implementations: [...userRoutes(ports), ...userAccountRoutes(ports), ...accessTokenRoutes(ports)],
    projections: [usersProjection, accessTokensProjection],
    policies: [],
  };
}
