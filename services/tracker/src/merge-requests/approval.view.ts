import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import { approvalStateView, approvalsView } from '@forgelog/contracts/tracker/merge-requests/approval.api.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { given, nestedList } from '@forgelog/service-kit/view-parts.ts';
import { user } from '@forgelog/service-kit/view-placeholders.ts';
import { type ShownMergeRequest, simpleMergeRequestJson } from './merge-request.view.ts';

export interface Approvals extends ShownMergeRequest {
  required: number;
  /** For whom it is shown. */
  callerId: number;
  level: number;
}

const leftOf = ({ required, approvedByIds }: Approvals) => Math.max(0, required - approvedByIds.length);
const approverJson = implementView(approvalsView.shape.approved_by.element).from<{ userId: number }>({
  user: user('userId'),
});

const { id, iid, project_id, title, description, state, created_at, updated_at } =
  simpleMergeRequestJson.members;

export const approvalsJson = implementView(approvalsView).from<Approvals>({
  ...{ id, iid, project_id, title, description, state, created_at, updated_at },
  merge_status: given(({ mergeStatus }: Approvals) => mergeStatus),
  approved: given((row: Approvals) =>
    row.required === 0 ? row.approvedByIds.length > 0 : leftOf(row) === 0,
  ),
  approvals_required: given(({ required }: Approvals) => required),
  approvals_left: given(leftOf),
  require_password_to_approve: false,
  approved_by: nestedList(approverJson, ({ approvedByIds }: Approvals) =>
    approvedByIds.map((userId) => ({ userId })),
  ),
  suggested_approvers: given(() => []),
  approvers: given(() => []),
  approver_groups: given(() => []),
  user_has_approved: given(({ approvedByIds, callerId }: Approvals) => approvedByIds.includes(callerId)),
  user_can_approve: given(
    ({ state, level, authorId, approvedByIds, callerId }: Approvals) =>
      state === 'opened' &&
      level >= AccessLevel.developer &&
      authorId !== callerId &&
      !approvedByIds.includes(callerId),
  ),
  approval_rules_left: given(() => []),
  has_approval_rules: false,
  merge_request_approvers_available: false,
  multiple_approval_rules_available: false,
});

/** There are no rules yet. */
export const approvalStateJson = implementView(approvalStateView).from<object>({
  approval_rules_overwritten: false,
  rules: given(() => []),
});
