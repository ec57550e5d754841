import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import {
  type ProtectedBranchEvent,
  protectedBranchEvents,
} from '@forgelog/contracts/repo/protected-branches/protected-branch.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

/** Protected branches as approvals go by them. */
export const approvalBranches = defineCollection({
  name: 'approval_branches',
  key: 'id',
  fields: {
    id: 'integer',
    projectId: 'integer',
    /** `*` stands for any text. */
    name: 'text',
    asksCodeOwners: 'boolean',
  },
  indexes: [['projectId', 'name']],
  ownedBy: [endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId))],
});

export type ApprovalBranch = DocumentOf<typeof approvalBranches>;

export const approvalBranchesProjection = defineProjection<ProtectedBranchEvent>({
  name: 'approval-branches',
  collections: [approvalBranches],
  handles: protectedBranchEvents.map(({ type }) => type),
  async project(event, documents) {
    const { protectedBranchId: id, projectId, name } = event.data;
    switch (event.type) {
      case 'ProtectedBranchCreated': {
        const { codeOwnerApprovalRequired: asksCodeOwners } = event.data;
        return documents.put(approvalBranches, { id, projectId, name, asksCodeOwners });
      }
      case 'ProtectedBranchUpdated': {
        const row = await documents.get(approvalBranches, id);
        const asksCodeOwners = event.data.changes.codeOwnerApprovalRequired;
        if (row && asksCodeOwners !== undefined) documents.put(approvalBranches, { ...row, asksCodeOwners });
        return;
      }
      case 'ProtectedBranchDeleted':
        return documents.delete(approvalBranches, id);
      default:
        event satisfies never;
    }
  },
});
