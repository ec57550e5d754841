import type { ApprovalRuleEvent } from '@forgelog/contracts/tracker/approval-rules/approval-rule.events.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { expect, test } from 'vitest';
import {
  type ApprovalRule,
  approvalRuleDecider,
  approvalRulesStream,
  MAX_APPROVAL_RULES,
} from './approval-rule.decider.ts';

const place = { projectId: 7, mergeRequestId: null, mergeRequestIid: null };
const rule: ApprovalRule = {
  ...{ name: 'Security', ruleType: 'regular', sourceRuleId: null, approvalsRequired: 1 },
  ...{ userIds: [5], groupIds: [], protectedBranchIds: [], appliesToAllProtectedBranches: false },
};
const create = (approvalRuleId: number, more: Partial<ApprovalRule> = {}) =>
  ({ type: 'CreateApprovalRule', approvalRuleId, ...place, ...rule, ...more }) as const;
const created = (approvalRuleId: number, more: Partial<ApprovalRule> = {}): ApprovalRuleEvent => ({
  type: 'ApprovalRuleCreated',
  data: { approvalRuleId, ...place, ...rule, ...more },
});
const ids = { approvalRuleId: 1, ...place };

test('a rule is created with a name that no other has', () => {
  given(approvalRuleDecider)
    .when(create(1, { name: ' Security ' }))
    .thenEvents(created(1));
  given(approvalRuleDecider)
    .when(create(1, { name: '  ' }))
    .thenRejected('validation_failed');
  given(approvalRuleDecider, created(1))
    .when(create(2, { name: 'SECURITY' }))
    .thenRejected('validation_failed');
  given(approvalRuleDecider, created(1), { type: 'ApprovalRuleDeleted', data: ids })
    .when(create(2))
    .thenEvents(created(2));
});

test('one rule is for everybody', () => {
  const open: Partial<ApprovalRule> = { ruleType: 'any_approver', name: 'All Members', userIds: [] };
  given(approvalRuleDecider, created(1)).when(create(2, open)).thenEvents(created(2, open));
  given(approvalRuleDecider, created(1, open))
    .when(create(2, { ...open, name: 'Others' }))
    .thenRejected('validation_failed');
});

test('rules are bounded', () => {
  const all = Array.from({ length: MAX_APPROVAL_RULES }, (_, at) => created(at + 1, { name: `Rule ${at}` }));
  given(approvalRuleDecider, ...all)
    .when(create(MAX_APPROVAL_RULES + 1))
    .thenRejected('validation_failed');
});

test('a rule is changed to other values, and tells the old ones', () => {
  const update = (changes: Partial<ApprovalRule>, approvalRuleId = 1) =>
    ({ type: 'UpdateApprovalRule', ...place, approvalRuleId, changes }) as const;
  given(approvalRuleDecider, created(1))
    .when(update({ name: 'Security', userIds: [5] }))
    .thenEvents();
  given(approvalRuleDecider, created(1))
    .when(update({ name: 'security', userIds: [5, 6] }))
    .thenEvents({
      type: 'ApprovalRuleUpdated',
      data: {
        ...ids,
        changes: { userIds: [5, 6], name: 'security' },
        previous: { userIds: [5], name: 'Security' },
      },
    });
  given(approvalRuleDecider, created(1), created(2, { name: 'Docs' }))
    .when(update({ name: 'docs' }))
    .thenRejected('validation_failed');
  given(approvalRuleDecider, created(1)).when(update({}, 2)).thenRejected('record_not_found');
});

test('a rule is deleted once', () => {
  const remove = { type: 'DeleteApprovalRule', ...ids } as const;
  given(approvalRuleDecider, created(1)).when(remove).thenEvents({ type: 'ApprovalRuleDeleted', data: ids });
  given(approvalRuleDecider, created(1), { type: 'ApprovalRuleDeleted', data: ids })
    .when(remove)
    .thenRejected('record_not_found');
});

test('the rules of a merge request are a stream beside those of its project', () => {
  expect(approvalRulesStream(place)).toBe('approvalRules-7');
  expect(approvalRulesStream({ ...place, mergeRequestId: 91, mergeRequestIid: 1 })).toBe('approvalRules-7-1');
});
