import { z } from 'zod';
import { defineEndpoint, project } from '../../endpoint.ts';
import { described, int, required, text } from '../../params.ts';
import { datetimeView, defineView, userView } from '../../views.ts';
import { approvalRuleStateView } from '../approval-rules/approval-rule.views.ts';
import examples from './approval.examples.json' with { type: 'json' };
import { readsMergeRequest } from './merge-request.api.ts';
import { mergeRequestTarget } from './merge-request.target.ts';
import { mergeRequestView } from './merge-request.views.ts';

const { path, params: one, feature } = mergeRequestTarget;
const { id, iid, project_id, title, description, state, merge_status } = mergeRequestView.shape;

export const approvalsView = defineView(
  'MergeRequestApprovals',
  {
    ...{ id, iid, project_id, title, description, state, merge_status },
    created_at: datetimeView,
    updated_at: datetimeView,
    approved: z.boolean(),
    approvals_required: z.int(),
    approvals_left: z.int(),
    require_password_to_approve: z.literal(false),
    approved_by: z.array(defineView('Approver', { user: userView })),
    suggested_approvers: z.array(userView),
    approvers: z.array(userView),
    approver_groups: z.array(z.never()),
    user_has_approved: z.boolean(),
    user_can_approve: z.boolean(),
    approval_rules_left: z.array(
      defineView('ApprovalRuleLeft', {
        id: z.int().nullable(),
        name: z.string(),
        rule_type: z.enum(['regular', 'any_approver', 'code_owner']),
      }),
    ),
    has_approval_rules: z.boolean(),
    merge_request_approvers_available: z.boolean(),
    multiple_approval_rules_available: z.boolean(),
  },
  examples.MergeRequestApprovals,
);

export const approvalStateView = defineView(
  'MergeRequestApprovalState',
  { approval_rules_overwritten: z.boolean(), rules: z.array(approvalRuleStateView) },
  examples.MergeRequestApprovalState,
);

export const getApprovals = defineEndpoint({
  ...readsMergeRequest,
  id: 'mr-approvals',
  method: 'GET',
  path: `${path}/approvals`,
  summary: 'Who has approved a merge request, and what it needs',
  spec: 'companions 2.8',
  params: one,
  response: approvalsView,
});

export const getApprovalState = defineEndpoint({
  ...readsMergeRequest,
  id: 'mr-approval-state',
  method: 'GET',
  path: `${path}/approval_state`,
  summary: 'The approval rules of a merge request',
  spec: 'companions 2.8',
  params: one,
  response: approvalStateView,
});

export const setApprovalsRequired = defineEndpoint({
  ...readsMergeRequest,
  id: 'mr-approvals-required',
  method: 'POST',
  path: `${path}/approvals`,
  summary: 'Say how many approvals a merge request needs; the number of its project is the least',
  spec: 'companions 2.8',
  tier: 'premium',
  params: {
    ...one,
    approvals_required: described(
      required(int({ min: 0, max: 1000 })),
      'Number of approvals; it counts where it is above that of the project, and that is not 0',
      { examples: [2] },
    ),
  },
  status: 201,
  response: approvalsView,
});

const approves = { service: 'tracker', access: project('developer', { feature }), method: 'POST' } as const;

export const approveMergeRequest = defineEndpoint({
  ...approves,
  id: 'mr-approve',
  path: `${path}/approve`,
  summary: 'Approve a merge request of somebody else',
  spec: 'companions 2.8',
  params: {
    ...one,
    sha: described(text({ max: 64 }), 'The commit that the caller has seen; another one is refused', {
      examples: ['8d2f1c0b5a3e4f6978c1d2e3f4a5b6c7d8e9f0a1'],
    }),
    approval_password: described(text({ max: 1024 }), 'Taken and not used'),
  },
  status: 201,
  response: approvalsView,
});

export const unapproveMergeRequest = defineEndpoint({
  ...approves,
  id: 'mr-unapprove',
  path: `${path}/unapprove`,
  summary: 'Take back the own approval of a merge request',
  spec: 'companions 2.8',
  params: one,
  status: 201,
  response: approvalsView,
});

export const approvalEndpoints = [
  getApprovals,
  getApprovalState,
  setApprovalsRequired,
  approveMergeRequest,
  unapproveMergeRequest,
];
