import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import { approvalStateView, approvalsView } from '@forgelog/contracts/tracker/merge-requests/approval.api.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { given, nestedList } from '@forgelog/service-kit/view-parts.ts';
import { user, users } from '@forgelog/service-kit/view-placeholders.ts';
import { approvalRuleStateJson, type ShownRuleState } from '../approval-rules/approval-rule.view.ts';
import type { ApprovalState } from '../approval-rules/approval-states.query.ts';
import { type ShownMergeRequest, simpleMergeRequestJson } from './merge-request.view.ts';

export interface Approvals extends ShownMergeRequest {
  approvals: ApprovalState;
  /** Whether the edition has rules. */
  hasRules: boolean;
  suggestedIds: readonly number[];
  /** For whom it is shown. */
  callerId: number;
  level: number;
}

const approverJson = implementView(approvalsView.shape.approved_by.element).from<{ userId: number }>({
  user: user('userId'),
});
const ruleLeftJson = implementView(approvalsView.shape.approval_rules_left.element).from<
  ApprovalState['rules'][number]
>({
  id: given(({ id }: ApprovalState['rules'][number]) => id),
  name: 'name',
  rule_type: given(({ ruleType }: ApprovalState['rules'][number]) => ruleType),
});

const { id, iid, project_id, title, description, state, created_at, updated_at } =
  simpleMergeRequestJson.members;
const hasRules = given(({ hasRules }: Approvals) => hasRules);

export const approvalsJson = implementView(approvalsView).from<Approvals>({
  ...{ id, iid, project_id, title, description, state, created_at, updated_at },
  merge_status: given(({ mergeStatus }: Approvals) => mergeStatus),
  approved: given(({ approvals }: Approvals) =>
    approvals.required === 0 ? approvals.approvedByIds.length > 0 : approvals.left === 0,
  ),
  approvals_required: given(({ approvals }: Approvals) => approvals.required),
  approvals_left: given(({ approvals }: Approvals) => approvals.left),
  require_password_to_approve: false,
  approved_by: nestedList(approverJson, ({ approvals }: Approvals) =>
    approvals.approvedByIds.map((userId) => ({ userId })),
  ),
  suggested_approvers: users('suggestedIds'),
  approvers: given(() => []),
  approver_groups: given(() => []),
  user_has_approved: given(({ approvals, callerId }: Approvals) =>
    approvals.approvedByIds.includes(callerId),
  ),
  user_can_approve: given(
    ({ state, level, approvals, callerId }: Approvals) =>
      state === 'opened' &&
      level >= AccessLevel.developer &&
      approvals.mayApprove(callerId) &&
      !approvals.approvedByIds.includes(callerId),
  ),
  approval_rules_left: nestedList(ruleLeftJson, ({ approvals }: Approvals) =>
    approvals.rules.filter(({ approved }) => !approved),
  ),
  has_approval_rules: given(({ approvals }: Approvals) =>
    approvals.rules.some(({ ruleType }) => ruleType !== 'any_approver'),
  ),
  merge_request_approvers_available: hasRules,
  multiple_approval_rules_available: hasRules,
});

export interface ShownApprovalState {
  overwritten: boolean;
  rules: readonly ShownRuleState[];
}

export const approvalStateJson = implementView(approvalStateView).from<ShownApprovalState>({
  approval_rules_overwritten: given(({ overwritten }: ShownApprovalState) => overwritten),
  rules: nestedList(approvalRuleStateJson, ({ rules }: ShownApprovalState) => rules),
});
