import { begins, changedBy, defineLifetime, endsWith } from '../../lifetime.ts';
import { ProjectDeleted } from '../../repo/projects/project.events.ts';
import { MergeRequestDeleted } from '../merge-requests/merge-request.events.ts';
import { ApprovalRuleCreated, ApprovalRuleDeleted, ApprovalRuleUpdated } from './approval-rule.events.ts';

export const approvalRuleLifetime = defineLifetime({
  kind: 'ApprovalRule',
  id: ['approvalRuleId'],
  begins: [begins(ApprovalRuleCreated)],
  changes: changedBy(ApprovalRuleUpdated),
  ends: [
    endsWith(ApprovalRuleDeleted, ['approvalRuleId']),
    endsWith(MergeRequestDeleted, ['mergeRequestId']),
    endsWith(ProjectDeleted, ['projectId']),
  ],
});
