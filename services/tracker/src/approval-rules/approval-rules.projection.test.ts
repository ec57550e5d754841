import type { ProtectedBranchEvent } from '@forgelog/contracts/repo/protected-branches/protected-branch.events.ts';
import type { ApprovalRuleEvent } from '@forgelog/contracts/tracker/approval-rules/approval-rule.events.ts';
import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { projectDeleted } from '@forgelog/testing/sample-events.ts';
import { test } from 'vitest';
import { approvalBranches, approvalBranchesProjection } from './approval-branches.projection.ts';
import { approvalRules, approvalRulesProjection } from './approval-rules.projection.ts';

type Created = Extract<ApprovalRuleEvent, { type: 'ApprovalRuleCreated' }>['data'];

const created = (approvalRuleId: number, more: Partial<Created> = {}): ApprovalRuleEvent => ({
  type: 'ApprovalRuleCreated',
  data: {
    ...{ approvalRuleId, projectId: 7, mergeRequestId: null, mergeRequestIid: null, name: 'Security' },
    ...{ ruleType: 'regular', sourceRuleId: null, approvalsRequired: 1, userIds: [5], groupIds: [] },
    ...{ protectedBranchIds: [], appliesToAllProtectedBranches: false, ...more },
  },
});
const ids = { approvalRuleId: 1, projectId: 7, mergeRequestId: null, mergeRequestIid: null };

test('a rule is stored as it was changed last', async () => {
  const updated: ApprovalRuleEvent = {
    type: 'ApprovalRuleUpdated',
    data: { ...ids, changes: { userIds: [6] }, previous: { userIds: [5] } },
  };
  const given = givenEvents(approvalRulesProjection, created(1), updated);
  await given.thenDocuments(approvalRules, [{ id: 1, mergeRequestId: 0, name: 'Security', userIds: [6] }]);
});

test('a rule ends by itself, with its merge request and with its project', async () => {
  const ofRequest = { mergeRequestId: 91, mergeRequestIid: 1 };
  await givenEvents(
    approvalRulesProjection,
    ...[created(1), created(2, ofRequest), created(3), created(4, { projectId: 8 })],
    { type: 'ApprovalRuleDeleted', data: ids },
    { type: 'MergeRequestDeleted', data: { mergeRequestId: 91, projectId: 7, iid: 1 } },
  ).thenDocuments(approvalRules, [{ id: 3 }, { id: 4 }]);
  await givenEvents(
    approvalRulesProjection,
    created(1),
    created(4, { projectId: 8 }),
    projectDeleted(7).event,
  ).thenDocuments(approvalRules, [{ id: 4 }]);
});

test('protected branches say which of them ask code owners', async () => {
  const branch = (protectedBranchId: number, name: string): ProtectedBranchEvent => ({
    type: 'ProtectedBranchCreated',
    data: {
      ...{ protectedBranchId, projectId: 7, name, pushAccess: [], mergeAccess: [], unprotectAccess: [] },
      ...{ allowForcePush: false, codeOwnerApprovalRequired: false },
    },
  });
  const changes = { codeOwnerApprovalRequired: true };
  await givenEvents(
    approvalBranchesProjection,
    ...[branch(1, 'main'), branch(2, 'v*')],
    {
      type: 'ProtectedBranchUpdated',
      data: { protectedBranchId: 1, projectId: 7, name: 'main', changes, previous: null },
    } satisfies ProtectedBranchEvent,
    {
      type: 'ProtectedBranchDeleted',
      data: { protectedBranchId: 2, projectId: 7, name: 'v*' },
    } satisfies ProtectedBranchEvent,
  ).thenDocuments(approvalBranches, [{ id: 1, name: 'main', asksCodeOwners: true }]);
});
