import { z } from 'zod';
import { defineEndpoint, project } from '../../endpoint.ts';
import { bool, described, fallback, int, list, oneOf, required, text } from '../../params.ts';
import { projectId } from '../../shared/common.params.ts';
import { readsMergeRequest } from '../merge-requests/merge-request.api.ts';
import { mergeRequestTarget } from '../merge-requests/merge-request.target.ts';
import { mergeRequestApprovalRuleView, projectApprovalRuleView } from './approval-rule.views.ts';

/** The most approvals that one rule needs. */
const MAX_APPROVALS = 100;

const { path: mergeRequestPath, params: mergeRequest } = mergeRequestTarget;
const ofProject = { service: 'tracker', tier: 'premium', spec: 'companions 2.8' } as const;
const reads = { ...ofProject, access: readsMergeRequest.access } as const;
const changes = { ...ofProject, access: project('maintainer') } as const;
const path = '/projects/:id/approval_rules';
const ruleId = described(required(int()), 'Id of the approval rule');
const one = { id: projectId, approval_rule_id: ruleId };

const ids = (whose: string) => described(list(int({ min: 1 }), { max: 100 }), whose);
const name = described(text({ max: 255 }), 'The name, which no other rule there has', {
  examples: ['Security'],
});
const approvalsRequired = described(int({ min: 0, max: MAX_APPROVALS }), 'Approvals that it needs', {
  examples: [1],
});
const approvers = {
  user_ids: ids('Members of the project who may give them'),
  group_ids: ids('Groups whose direct members may give them'),
};
const usernames = described(
  list(text({ max: 255 }), { max: 100 }),
  'The same as `user_ids`, by the names of users',
);
const branches = {
  protected_branch_ids: ids('Protected branches that it is for; none for all branches'),
  applies_to_all_protected_branches: described(
    bool(),
    'Whether it is for all protected branches, whatever `protected_branch_ids` says',
  ),
};
const removeHidden = described(fallback(bool(), false), 'Whether groups go that the caller may not see');

export const listApprovalRules = defineEndpoint({
  ...reads,
  id: 'approval-rule-list',
  method: 'GET',
  path,
  summary: 'Approval rules of a project, the oldest first',
  params: { id: projectId },
  pagination: 'offset',
  response: z.array(projectApprovalRuleView),
});

export const getApprovalRule = defineEndpoint({
  ...reads,
  id: 'approval-rule-get',
  method: 'GET',
  path: `${path}/:approval_rule_id`,
  summary: 'One approval rule of a project',
  params: one,
  response: projectApprovalRuleView,
});

export const createApprovalRule = defineEndpoint({
  ...changes,
  id: 'approval-rule-create',
  method: 'POST',
  path,
  summary: 'Say who must approve the merge requests of a project',
  params: {
    id: projectId,
    name: required(name),
    approvals_required: required(approvalsRequired),
    rule_type: described(
      oneOf('regular', 'any_approver'),
      'Whether users and groups may approve, or everybody; by default everybody where none is given',
    ),
    ...approvers,
    usernames,
    ...branches,
  },
  status: 201,
  response: projectApprovalRuleView,
});

export const updateApprovalRule = defineEndpoint({
  ...changes,
  id: 'approval-rule-update',
  method: 'PUT',
  path: `${path}/:approval_rule_id`,
  summary: 'Change an approval rule of a project',
  params: {
    ...one,
    name,
    approvals_required: approvalsRequired,
    ...approvers,
    usernames,
    ...branches,
    remove_hidden_groups: removeHidden,
  },
  response: projectApprovalRuleView,
});

export const deleteApprovalRule = defineEndpoint({
  ...changes,
  id: 'approval-rule-delete',
  method: 'DELETE',
  path: `${path}/:approval_rule_id`,
  summary: 'Delete an approval rule of a project',
  params: one,
  status: 204,
});

const rulesPath = `${mergeRequestPath}/approval_rules`;
const oneOfMergeRequest = { ...mergeRequest, approval_rule_id: ruleId };

export const listMergeRequestApprovalRules = defineEndpoint({
  ...reads,
  id: 'mr-approval-rule-list',
  method: 'GET',
  path: rulesPath,
  summary: 'Approval rules of a merge request: its own, or those of its project where it has none',
  params: mergeRequest,
  pagination: 'offset',
  response: z.array(mergeRequestApprovalRuleView),
});

export const getMergeRequestApprovalRule = defineEndpoint({
  ...reads,
  id: 'mr-approval-rule-get',
  method: 'GET',
  path: `${rulesPath}/:approval_rule_id`,
  summary: 'One approval rule of a merge request',
  params: oneOfMergeRequest,
  response: mergeRequestApprovalRuleView,
});

export const createMergeRequestApprovalRule = defineEndpoint({
  ...reads,
  id: 'mr-approval-rule-create',
  method: 'POST',
  path: rulesPath,
  summary: 'Give a merge request a rule of its own; rules of its project then no longer count for it',
  params: {
    ...mergeRequest,
    name: described(text({ max: 255 }), 'The name; not needed where a rule of the project is copied', {
      examples: ['Security'],
    }),
    approvals_required: required(approvalsRequired),
    approval_project_rule_id: described(
      int({ min: 1 }),
      'The rule of the project whose name, users and groups it copies',
    ),
    ...approvers,
    usernames,
  },
  status: 201,
  response: mergeRequestApprovalRuleView,
});

export const updateMergeRequestApprovalRule = defineEndpoint({
  ...reads,
  id: 'mr-approval-rule-update',
  method: 'PUT',
  path: `${rulesPath}/:approval_rule_id`,
  summary: 'Change a rule of a merge request',
  params: {
    ...oneOfMergeRequest,
    name,
    approvals_required: approvalsRequired,
    ...approvers,
    usernames,
    remove_hidden_groups: removeHidden,
  },
  response: mergeRequestApprovalRuleView,
});

export const deleteMergeRequestApprovalRule = defineEndpoint({
  ...reads,
  id: 'mr-approval-rule-delete',
  method: 'DELETE',
  path: `${rulesPath}/:approval_rule_id`,
  summary: 'Delete a rule of a merge request; with the last one, those of its project count again',
  params: oneOfMergeRequest,
  status: 204,
});

export const approvalRuleEndpoints = [
  listApprovalRules,
  getApprovalRule,
  createApprovalRule,
  updateApprovalRule,
  deleteApprovalRule,
  listMergeRequestApprovalRules,
  getMergeRequestApprovalRule,
  createMergeRequestApprovalRule,
  updateMergeRequestApprovalRule,
  deleteMergeRequestApprovalRule,
];
