import { z } from 'zod';
import { defineEndpoint, project } from '../../endpoint.ts';
import { bool, described, int } from '../../params.ts';
import { projectId } from '../../shared/common.params.ts';
import { defineView } from '../../views.ts';
import examples from './project-approvals.examples.json' with { type: 'json' };

export const projectApprovalsView = defineView(
  'ProjectApprovals',
  {
    approvers: z.array(z.never()),
    approver_groups: z.array(z.never()),
    approvals_before_merge: z.int(),
    reset_approvals_on_push: z.boolean(),
    disable_overriding_approvers_per_merge_request: z.boolean(),
    merge_requests_author_approval: z.boolean(),
    merge_requests_disable_committers_approval: z.boolean(),
    require_password_to_approve: z.literal(false),
  },
  examples.ProjectApprovals,
);

const common = {
  service: 'repo',
  spec: 'companions 2.8',
  tier: 'premium',
  path: '/projects/:id/approvals',
} as const;

export const getProjectApprovals = defineEndpoint({
  ...common,
  id: 'project-approvals-get',
  method: 'GET',
  access: project('anyone', { feature: 'merge_requests', signedIn: true }),
  summary: 'What a project says of approvals of its merge requests, its rules aside',
  params: { id: projectId },
  response: projectApprovalsView,
});

export const setProjectApprovals = defineEndpoint({
  ...common,
  id: 'project-approvals-set',
  method: 'POST',
  access: project('maintainer'),
  summary: 'Change what a project says of approvals',
  params: {
    id: projectId,
    approvals_before_merge: described(int({ min: 0, max: 1000 }), 'Approvals that a merge request needs', {
      examples: [1],
    }),
    reset_approvals_on_push: described(bool(), 'Whether a push to the source branch takes approvals back'),
    disable_overriding_approvers_per_merge_request: described(
      bool(),
      'Whether no merge request has approval rules of its own',
    ),
    merge_requests_author_approval: described(bool(), 'Whether authors may approve their merge requests'),
    merge_requests_disable_committers_approval: described(
      bool(),
      'Whether those who committed to a merge request may not approve it',
    ),
    require_password_to_approve: described(bool(), 'Refused where it is true: approvals ask for no password'),
  },
  status: 201,
  response: projectApprovalsView,
});

export const projectApprovalEndpoints = [getProjectApprovals, setProjectApprovals];
