import { z } from 'zod';
import { defineView, userView, visibilityView } from '../../views.ts';
import examples from './approval-rule.examples.json' with { type: 'json' };

const approvalGroupView = defineView('ApprovalGroup', {
  id: z.int(),
  name: z.string(),
  path: z.string(),
  full_name: z.string(),
  full_path: z.string(),
  visibility: visibilityView,
  parent_id: z.int().nullable(),
  avatar_url: z.string().nullable(),
  web_url: z.string(),
});

const approvers = {
  eligible_approvers: z.array(userView),
  approvals_required: z.int(),
  users: z.array(userView),
  groups: z.array(approvalGroupView),
  contains_hidden_groups: z.boolean(),
};

export const projectApprovalRuleView = defineView(
  'ProjectApprovalRule',
  {
    id: z.int(),
    name: z.string(),
    rule_type: z.enum(['regular', 'any_approver']),
    report_type: z.null(),
    ...approvers,
    protected_branches: z.array(defineView('ApprovalRuleBranch', { id: z.int(), name: z.string() })),
    applies_to_all_protected_branches: z.boolean(),
  },
  examples.ProjectApprovalRule,
);

const sourceRuleView = defineView('ApprovalSourceRule', { approvals_required: z.int() });

const mergeRequestRule = {
  name: z.string(),
  report_type: z.null(),
  ...approvers,
  source_rule: sourceRuleView.nullable(),
  overridden: z.boolean(),
};

export const mergeRequestApprovalRuleView = defineView(
  'MergeRequestApprovalRule',
  { id: z.int(), rule_type: z.enum(['regular', 'any_approver']), ...mergeRequestRule },
  examples.MergeRequestApprovalRule,
);

/** A rule as it counts for a merge request. What no record stands behind has no id: code owners, and the project's number. */
export const approvalRuleStateView = defineView('ApprovalRuleState', {
  id: z.int().nullable(),
  rule_type: z.enum(['regular', 'any_approver', 'code_owner']),
  ...mergeRequestRule,
  section: z.string().nullable(),
  code_owner: z.boolean(),
  approved_by: z.array(userView),
  approved: z.boolean(),
});
