import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { billableMemberRoutes } from './billable-member.routes.ts';
import { groupMemberRoutes } from './group-member.routes.ts';
import { invitationRoutes } from './invitation.routes.ts';
import { memberReadingRoutes } from './member-reading.routes.ts';
import { membersProjection } from './members.projection.ts';
import { membershipPolicies } from './membership-ends.policy.ts';
import { membershipExpiry } from './membership-expiry.worker.ts';
import { openMembershipsProjection } from './open-memberships.projection.ts';
import { projectMemberRoutes } from './project-member.routes.ts';
import { userMembershipRoutes } from './user-membership.routes.ts';

export const memberSlice = defineSlice<ServicePorts>({
  routes: [
    memberReadingRoutes,
    projectMemberRoutes,
    groupMemberRoutes,
    invitationRoutes,
    billableMemberRoutes,
    userMembershipRoutes,
  ],
  projections: [membersProjection, openMembershipsProjection],
  policies: [membershipPolicies],
  workers: [membershipExpiry],
});
