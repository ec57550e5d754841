import type { RepositoryEvent } from '@forgelog/contracts/repo/repositories/repository.events.ts';
import { formerLabelId } from '@forgelog/contracts/tracker/labels/former-label-id.ts';
import type { MergeRequestEvent } from '@forgelog/contracts/tracker/merge-requests/merge-request.events.ts';
import { on, type StreamedEvent } from '@forgelog/testing/sample-events.ts';

type Created = Extract<MergeRequestEvent, { type: 'MergeRequestCreated' }>;

/** A commit id: the same digit forty times. */
export const shaOf = (digit: number): string => String(digit).repeat(40);
const NONE = shaOf(0);

/** A merge request of project 7, from `topic<iid>` at commit 1 into `main` at commit 9. Its id is 90 and its number. */
export const mergeRequestCreated = (iid: number, more: Partial<Created['data']> = {}): Created => ({
  type: 'MergeRequestCreated',
  data: {
    ...{ mergeRequestId: 90 + iid, projectId: 7, iid, authorId: 1 },
    ...{ sourceProjectId: 7, sourceBranch: `topic${iid}`, sourceSha: shaOf(1) },
    ...{ targetBranch: 'main', targetSha: shaOf(9) },
    ...{ title: `Request ${iid}`, description: null, labels: [], assigneeIds: [], reviewerIds: [] },
    ...{ milestoneId: null, squash: false, removeSourceBranch: false, allowCollaboration: false },
    ...{ approvalsBeforeMerge: null, createdAt: null },
    labelIds: (more.labels ?? []).map((title) => formerLabelId(7, title)),
    ...more,
  },
});

/** A branch of project 7 moves to a commit; null deletes it. */
export const branchMoved = (
  branch: string,
  newOid: string | null,
  oldOid = NONE,
): Extract<RepositoryEvent, { type: 'RefUpdated' }> => ({
  type: 'RefUpdated',
  data: {
    ...{ projectId: 7, ref: `refs/heads/${branch}`, oldOid, newOid: newOid ?? NONE },
    ...{ commitCount: 1, via: 'push', commitTitle: null, pushOptions: [] },
    ...{ commitCountIsLowerBound: null, forced: null, pushId: null, merge: null, suggestionIds: null },
  },
});

/** In the stream of its merge request. */
export const inMergeRequest = (event: MergeRequestEvent): StreamedEvent =>
  on(`mergeRequest-${event.data.projectId}-${event.data.iid}`, event);

/** In the stream of the repository. */
export const inRepository = (event: RepositoryEvent): StreamedEvent => on('repository-7', event);
