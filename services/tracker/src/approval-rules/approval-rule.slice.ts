import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { approvalRuleRoutes } from './approval-rule.routes.ts';
import { mergeRequestApprovalRuleRoutes } from './merge-request-approval-rule.routes.ts';
import { resetApprovals } from './reset-approvals.policy.ts';

/** The read models are in the slice of merge requests, whose every answer goes by them. */
export const approvalRuleSlice = defineSlice<ServicePorts>({
  routes: [approvalRuleRoutes, mergeRequestApprovalRuleRoutes],
  policies: [resetApprovals],
});
