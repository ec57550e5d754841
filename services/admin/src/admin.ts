import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { Service } from '@forgelog/service-kit/service.ts';
import { accessTokenRoutes } from './access-tokens/access-token.routes.ts';
import { accessTokensProjection } from './access-tokens/access-tokens.projection.ts';
import { auditEventRoutes } from './audit-events/audit-event.routes.ts';
import { auditEventsProjection } from './audit-events/audit-events.projection.ts';
import { groupPolicies } from './groups/group.policies.ts';
import { groupRoutes } from './groups/group.routes.ts';
import { groupChangeRoutes } from './groups/group-changes.routes.ts';
import { groupsProjection } from './groups/groups.projection.ts';
import { projectSizesProjection } from './groups/project-sizes.projection.ts';
import { billableMemberRoutes } from './members/billable-member.routes.ts';
import { groupMemberRoutes } from './members/group-member.routes.ts';
import { memberReadingRoutes } from './members/member-reading.routes.ts';
import { membersProjection } from './members/members.projection.ts';
import { projectMemberRoutes } from './members/project-member.routes.ts';
import { userRoutes } from './users/user.routes.ts';
import { userAccountRoutes } from './users/user-account.routes.ts';
import { usersProjection } from './users/users.projection.ts';

/** The admin service: a line a slice. */
export function createAdmin(ports: ServicePorts): Service {
  return {
    name: 'admin',
    implementations: [
      ...userRoutes(ports),
      ...userAccountRoutes(ports),
      ...accessTokenRoutes(ports),
      ...groupRoutes(ports),
      ...groupChangeRoutes(ports),
      ...memberReadingRoutes(ports),
      ...projectMemberRoutes(ports),
      ...groupMemberRoutes(ports),
      ...billableMemberRoutes(ports),
      ...auditEventRoutes(ports),
    ],
    projections: [
      usersProjection,
      accessTokensProjection,
      groupsProjection,
      projectSizesProjection,
      membersProjection,
      auditEventsProjection,
    ],
    policies: groupPolicies(ports),
  };
}
