import { defineRecords, flag, json, type Part, reference, text, whole } from '../table.ts';

export const approvalRules: Part = {
  events: { ApprovalRuleCreated: 1, ApprovalRuleUpdated: 1, ApprovalRuleDeleted: 1 },
  records: [
    defineRecords({
      kind: 'ApprovalRule',
      name: 'approval_rules',
      about: 'Who must approve merge requests: of a project, or of one merge request.',
      key: ['approval_rule_id'],
      columns: {
        approval_rule_id: whole('approvalRuleId', 'Id of the approval rule.'),
        project_id: reference('projectId', 'Id of the project.'),
        merge_request_id: whole(
          'mergeRequestId',
          'Id of the only merge request that it is for; null for all.',
        ),
        merge_request_iid: whole('mergeRequestIid', 'Number of that merge request; null for all.'),
        name: text('name', 'The name.'),
        rule_type: text('ruleType', '`regular`, or `any_approver` where everybody may approve.'),
        approvals_required: whole('approvalsRequired', 'Number of approvals that it needs.'),
        user_ids: json('userIds', 'Ids of users who may give them'),
        group_ids: json('groupIds', 'Ids of groups whose members may give them'),
        protected_branch_ids: json('protectedBranchIds', 'Ids of the protected branches that it is for'),
        applies_to_all_protected_branches: flag(
          'appliesToAllProtectedBranches',
          'Whether it is for all protected branches',
        ),
        source_rule_id: whole('sourceRuleId', 'Id of the rule that it began as a copy of; null for none.'),
      },
      compare: {
        select: 'SELECT * FROM approval_rules WHERE ended_at IS NULL AND merge_request_id IS NULL',
        key: ['approval_rule_id'],
        async *served(api) {
          for await (const project of api.list('/projects?order_by=id&simple=true'))
            for await (const rule of api.list(`/projects/${project.id}/approval_rules`)) {
              const { id, name, rule_type, approvals_required, applies_to_all_protected_branches } = rule;
              yield {
                ...{ approval_rule_id: id, project_id: project.id, name, rule_type, approvals_required },
                applies_to_all_protected_branches,
                user_ids: rule.users.map((user: { id: number }) => user.id),
              };
            }
        },
      },
    }),
  ],
};
