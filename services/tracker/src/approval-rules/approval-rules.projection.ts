import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import {
  type ApprovalRuleEvent,
  approvalRuleEvents,
} from '@forgelog/contracts/tracker/approval-rules/approval-rule.events.ts';
import { approvalRuleLifetime } from '@forgelog/contracts/tracker/approval-rules/approval-rule.lifetime.ts';
import { MergeRequestDeleted } from '@forgelog/contracts/tracker/merge-requests/merge-request.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

export const approvalRules = defineCollection({
  name: 'approval_rules',
  key: 'id',
  fields: {
    id: 'integer',
    projectId: 'integer',
    /** Id of the only merge request that it is for; 0 for a rule of the project. */
    mergeRequestId: 'integer',
    name: 'text',
    /** `regular` or `any_approver`. */
    ruleType: 'text',
    approvalsRequired: 'integer',
    userIds: 'integer[]',
    groupIds: 'integer[]',
    protectedBranchIds: 'integer[]',
    appliesToAllProtectedBranches: 'boolean',
    sourceRuleId: 'integer?',
  },
  indexes: [['projectId', 'mergeRequestId'], ['mergeRequestId']],
  holds: { lifetime: approvalRuleLifetime },
  ownedBy: [
    endsWith(MergeRequestDeleted, ({ mergeRequestId }) => eq('mergeRequestId', mergeRequestId)),
    endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId)),
  ],
});

type Row = DocumentOf<typeof approvalRules>;
export type ApprovalRuleRow = Omit<Row, 'ruleType'> & { ruleType: 'regular' | 'any_approver' };

export const approvalRulesProjection = defineProjection<ApprovalRuleEvent>({
  name: 'approval-rules',
  collections: [approvalRules],
  handles: approvalRuleEvents.map(({ type }) => type),
  async project(event, documents) {
    const { approvalRuleId: id } = event.data;
    switch (event.type) {
      case 'ApprovalRuleCreated': {
        const { approvalRuleId: _, mergeRequestIid: __, mergeRequestId, ...rule } = event.data;
        return documents.put(approvalRules, { id, mergeRequestId: mergeRequestId ?? 0, ...rule });
      }
      case 'ApprovalRuleUpdated': {
        const row = await documents.get(approvalRules, id);
        if (row) documents.put(approvalRules, { ...row, ...event.data.changes });
        return;
      }
      case 'ApprovalRuleDeleted':
        return documents.delete(approvalRules, id);
      default:
        event satisfies never;
    }
  },
});
