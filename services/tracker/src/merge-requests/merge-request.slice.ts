import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { approvalBranchesProjection } from '../approval-rules/approval-branches.projection.ts';
import { approvalRulesProjection } from '../approval-rules/approval-rules.projection.ts';
import { approvalRoutes } from './approval.routes.ts';
import { autoMergePolicies } from './auto-merge.policy.ts';
import { commitMergeRequestRoutes } from './commit-merge-request.routes.ts';
import { mergePolicies } from './merge.policy.ts';
import { mergeRoutes } from './merge.routes.ts';
import { mergeRequestOperations } from './merge-request.operations.ts';
import { mergeRequestRoutes } from './merge-request.routes.ts';
import { mergeRequestContentRoutes } from './merge-request-content.routes.ts';
import { mergeRequestListRoutes } from './merge-request-list.routes.ts';
import { mergeRequestsProjection } from './merge-requests.projection.ts';
import { mergeSettingsProjection } from './merge-settings.projection.ts';
import { pushedMergeRequests } from './pushed-merge-requests.policy.ts';
import { relatedIssueRoutes } from './related-issue.routes.ts';

export const mergeRequestSlice = defineSlice<ServicePorts>({
  routes: [
    mergeRequestRoutes,
    mergeRequestListRoutes,
    approvalRoutes,
    mergeRoutes,
    mergeRequestContentRoutes,
    relatedIssueRoutes,
    commitMergeRequestRoutes,
  ],
  operations: [mergeRequestOperations],
  projections: [
    mergeRequestsProjection,
    mergeSettingsProjection,
    approvalRulesProjection,
    approvalBranchesProjection,
  ],
  policies: [mergePolicies, autoMergePolicies, pushedMergeRequests],
});
