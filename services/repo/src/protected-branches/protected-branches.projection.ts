import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import {
  type ProtectedBranchEvent,
  protectedBranchEvents,
  type RefAdmission,
} from '@forgelog/contracts/repo/protected-branches/protected-branch.events.ts';
import { protectedBranchLifetime } from '@forgelog/contracts/repo/protected-branches/protected-branch.lifetime.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import type { Projection } from '@forgelog/eventing/projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

export const protectedBranches = defineCollection({
  name: 'protected_branches',
  key: 'id',
  fields: {
    id: 'integer',
    projectId: 'integer',
    name: 'text',
    pushAccess: 'json',
    mergeAccess: 'json',
    unprotectAccess: 'json',
    allowForcePush: 'boolean',
    codeOwnerApprovalRequired: 'boolean',
  },
  indexes: [['projectId', 'name']],
  search: ['name'],
  holds: { lifetime: protectedBranchLifetime },
  ownedBy: [endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId))],
});

type Row = DocumentOf<typeof protectedBranches>;
export type ProtectedBranchRow = Omit<Row, 'pushAccess' | 'mergeAccess' | 'unprotectAccess'> &
  Record<'pushAccess' | 'mergeAccess' | 'unprotectAccess', readonly RefAdmission[]>;

export const protectedBranchesProjection: Projection = defineProjection<ProtectedBranchEvent>({
  name: 'protected-branches',
  collections: [protectedBranches],
  handles: protectedBranchEvents.map(({ type }) => type),
  async project(event, documents) {
    const { protectedBranchId: id } = event.data;
    switch (event.type) {
      case 'ProtectedBranchCreated': {
        const { protectedBranchId: _, ...branch } = event.data;
        return documents.put(protectedBranches, { id, ...branch });
      }
      case 'ProtectedBranchUpdated': {
        const row = await documents.get(protectedBranches, id);
        if (row) documents.put(protectedBranches, { ...row, ...event.data.changes });
        return;
      }
      case 'ProtectedBranchDeleted':
        return documents.delete(protectedBranches, id);
      default:
        event satisfies never;
    }
  },
});
