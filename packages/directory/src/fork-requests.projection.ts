import {
  MergeRequestClosed,
  MergeRequestCreated,
  MergeRequestDeleted,
  type MergeRequestEvent,
  MergeRequestMerged,
  MergeRequestReopened,
  MergeRequestUpdated,
} from '@forgelog/contracts/tracker/merge-requests/merge-request.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { type DirectoryForkRequest, directoryForkRequests } from './collections.ts';

type Handled = Extract<
  MergeRequestEvent,
  {
    type:
      | 'MergeRequestCreated'
      | 'MergeRequestUpdated'
      | 'MergeRequestClosed'
      | 'MergeRequestReopened'
      | 'MergeRequestMerged'
      | 'MergeRequestDeleted';
  }
>;

export const directoryForkRequestsProjection = defineProjection<Handled>({
  name: 'directory-fork-requests',
  collections: [directoryForkRequests],
  handles: [
    MergeRequestCreated.type,
    MergeRequestUpdated.type,
    MergeRequestClosed.type,
    MergeRequestReopened.type,
    MergeRequestMerged.type,
    MergeRequestDeleted.type,
  ],
  async project(event, documents) {
    const { mergeRequestId } = event.data;
    const change = async (changes: Partial<DirectoryForkRequest>) => {
      const request = await documents.get(directoryForkRequests, mergeRequestId);
      if (request) documents.put(directoryForkRequests, { ...request, ...changes });
    };
    switch (event.type) {
      case 'MergeRequestCreated': {
        const { projectId, targetBranch, sourceProjectId, sourceBranch, allowCollaboration } = event.data;
        if (sourceProjectId === projectId) return;
        const branches = { projectId, targetBranch, sourceProjectId, sourceBranch };
        const state = { allowsCollaboration: allowCollaboration, open: true };
        return documents.put(directoryForkRequests, { mergeRequestId, ...branches, ...state });
      }
      case 'MergeRequestUpdated': {
        const { targetBranch, allowCollaboration } = event.data.changes;
        if (targetBranch === undefined && allowCollaboration === undefined) return;
        return change({
          ...(targetBranch !== undefined && { targetBranch }),
          ...(allowCollaboration !== undefined && { allowsCollaboration: allowCollaboration }),
        });
      }
      case 'MergeRequestClosed':
      case 'MergeRequestMerged':
        return change({ open: false });
      case 'MergeRequestReopened':
        return change({ open: true });
      case 'MergeRequestDeleted':
        return documents.delete(directoryForkRequests, mergeRequestId);
      default:
        event satisfies never;
    }
  },
});
