import { begins, changedBy, defineLifetime, endsWith } from '../../lifetime.ts';
import { ProjectDeleted } from '../../repo/projects/project.events.ts';
import {
  MergeRequestApprovalEnded,
  MergeRequestApprovalRevoked,
  MergeRequestApproved,
  MergeRequestAutoMergeCanceled,
  MergeRequestAutoMergeSet,
  MergeRequestClosed,
  MergeRequestCreated,
  MergeRequestDeleted,
  MergeRequestMerged,
  MergeRequestMergeFailed,
  MergeRequestMergeStarted,
  MergeRequestReopened,
  MergeRequestTimeEstimateSet,
  MergeRequestTimeSpentReset,
  MergeRequestUpdated,
} from './merge-request.events.ts';

export const mergeRequestLifetime = defineLifetime({
  kind: 'MergeRequest',
  id: ['mergeRequestId'],
  begins: [
    begins(MergeRequestCreated, { fixed: { state: 'opened', discussionLocked: false, timeEstimate: 0 } }),
  ],
  changes: changedBy(
    MergeRequestUpdated,
    MergeRequestClosed,
    MergeRequestReopened,
    MergeRequestMergeStarted,
    MergeRequestMerged,
    MergeRequestMergeFailed,
    MergeRequestTimeEstimateSet,
    MergeRequestTimeSpentReset,
  ),
  ends: [endsWith(MergeRequestDeleted, ['mergeRequestId']), endsWith(ProjectDeleted, ['projectId'])],
});

export const mergeRequestApprovalLifetime = defineLifetime({
  kind: 'MergeRequestApproval',
  id: ['mergeRequestId', 'userId'],
  begins: [begins(MergeRequestApproved)],
  ends: [
    endsWith(MergeRequestApprovalRevoked, ['mergeRequestId', 'userId']),
    endsWith(MergeRequestApprovalEnded, ['mergeRequestId', 'userId']),
    endsWith(MergeRequestDeleted, ['mergeRequestId']),
    endsWith(ProjectDeleted, ['projectId']),
  ],
});

/** What a merge request waits for: its own merge ends it, however that ends. */
export const mergeRequestAutoMergeLifetime = defineLifetime({
  kind: 'MergeRequestAutoMerge',
  id: ['mergeRequestId'],
  begins: [begins(MergeRequestAutoMergeSet)],
  ends: [
    endsWith(MergeRequestAutoMergeCanceled, ['mergeRequestId']),
    endsWith(MergeRequestMergeStarted, ['mergeRequestId']),
    endsWith(MergeRequestMerged, ['mergeRequestId']),
    endsWith(MergeRequestDeleted, ['mergeRequestId']),
    endsWith(ProjectDeleted, ['projectId']),
  ],
});
