import { describeMerge } from '@forgelog/contracts/repo/merges/merge.operations.ts';
import { mergeRequestAwards } from '@forgelog/contracts/tracker/award-emoji/award-emoji.api.ts';
import { mergeRequestDiscussions } from '@forgelog/contracts/tracker/discussions/discussion.api.ts';
import { mergeRequestNotes } from '@forgelog/contracts/tracker/discussions/note.api.ts';
import {
  MergeRequestApproved,
  MergeRequestClosed,
  MergeRequestCreated,
  MergeRequestDeleted,
  MergeRequestMerged,
  MergeRequestReopened,
  MergeRequestUpdated,
} from '@forgelog/contracts/tracker/merge-requests/merge-request.events.ts';
import { mergeRequestTarget as contract } from '@forgelog/contracts/tracker/merge-requests/merge-request.target.ts';
import { mergeRequestResourceEvents } from '@forgelog/contracts/tracker/resource-events/resource-event.api.ts';
import { mergeRequestSubscriptions } from '@forgelog/contracts/tracker/subscriptions/subscription.api.ts';
import { mergeRequestTimeTracking } from '@forgelog/contracts/tracker/time-tracking/time-tracking.api.ts';
import { mergeRequestTodo } from '@forgelog/contracts/tracker/todos/todo.api.ts';
import { initiatorOf } from '@forgelog/eventing/event.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import { shownLabels } from '../labels/shown-labels.ts';
import { ending, on, type Target, type TargetKind, told } from '../targets/target.ts';
import { mergeRequestRef, targetKey } from '../targets/target-ref.ts';
import { rowKeys, titlesIn } from '../targets/target-rows.ts';
import { tipsOf } from './branch-tips.collection.ts';
import { mergeRequestOf } from './merge-request.access.ts';
import { mergeRequestCommandsFor } from './merge-request.commands.ts';
import { mergeRequestDecider, mergeRequestStream } from './merge-request.decider.ts';
import { mergeRequestJson } from './merge-request.view.ts';
import { mergeRequestDeeds } from './merge-request-deeds.ts';
import { isThere, type MergeRequest, mergeRequests } from './merge-requests.collection.ts';
import { mergeabilityFor } from './mergeability.ts';
import { shownMergeRequests } from './shown-merge-requests.ts';

interface FoundMergeRequest extends Target {
  row: MergeRequest;
}

const { type } = contract;
const keyOf = (id: number) => targetKey({ type, id });

export function foundMergeRequest(
  row: MergeRequest,
  { level }: Pick<ProjectGrant, 'level'>,
): FoundMergeRequest {
  const { id, projectId, iid, title, authorId, assigneeIds, discussionLocked } = row;
  return {
    ...{ type, key: keyOf(id), id, projectId, iid, title, authorId, assigneeIds, discussionLocked },
    ...{ confidential: false, level, row },
  };
}

/** Never confidential: whoever may read merge requests of a project reads all. */
export const mergeRequestTarget: TargetKind<FoundMergeRequest> = {
  contract,
  discussions: mergeRequestDiscussions,
  notes: mergeRequestNotes,
  awards: mergeRequestAwards,
  resourceEvents: mergeRequestResourceEvents,
  threads: {
    endpoint: mergeRequestDiscussions.resolve,
    async diffOf({ operations }, { row }, principal) {
      const { projectId, sha: headSha, startSha, targetBranch } = row;
      const asked = { projectId, sourceSha: headSha, targetSha: startSha, targetBranch };
      const answer = await operations.call(
        describeMerge,
        { ...asked, divergedCommits: false, changes: false },
        { principal },
      );
      if ('refused' in answer || answer.baseSha === null) return undefined;
      return { baseSha: answer.baseSha, startSha, headSha };
    },
    async suggestionProblem({ readStore }, { row: { state, source } }) {
      if (state === 'merged' || state === 'closed')
        return `This merge request ${state === 'merged' ? 'was merged' : 'is closed'}. To apply this suggestion, edit this file directly.`;
      if (!(await tipsOf(readStore, [source])).has(source))
        return "Can't apply as the source branch was deleted.";
      return null;
    },
  },

  async find({ readStore }, { params, project }) {
    const row = await mergeRequestOf(readStore, project, params.merge_request_iid as number);
    return row && foundMergeRequest(row, project);
  },

  titles: ({ readStore }, refs) => titlesIn(mergeRequests, type, { readStore, refs }),

  events: {
    opened: [
      on(MergeRequestCreated, ({ data: { mergeRequestId: id, projectId, authorId, assigneeIds } }) => ({
        ...{ id, projectId, authorId, assigneeIds, confidential: false },
      })),
    ],
    readersChanged: [
      on(MergeRequestUpdated, ({ data: { mergeRequestId: id, changes } }) => ({
        id,
        ...(changes.assigneeIds && { assigneeIds: changes.assigneeIds }),
      })),
    ],
    deleted: [ending(MergeRequestDeleted, ({ mergeRequestId }) => mergeRequestId)],
    activities: [
      on(MergeRequestCreated, ({ data }) => told('created', 'opened', data.authorId, mergeRequestRef(data))),
      on(MergeRequestClosed, ({ data, metadata }) =>
        told('closed', 'closed', data.closedById ?? initiatorOf(metadata).actorId, mergeRequestRef(data)),
      ),
      on(MergeRequestReopened, ({ data, metadata }) =>
        told('reopened', 'reopened', initiatorOf(metadata).actorId, mergeRequestRef(data)),
      ),
      on(MergeRequestMerged, ({ data }) =>
        told('merged', 'accepted', data.mergedById, mergeRequestRef(data)),
      ),
      on(MergeRequestApproved, ({ data }) =>
        told('approved', 'approved', data.userId, mergeRequestRef(data)),
      ),
    ],
  },

  todos: {
    endpoint: mergeRequestTodo,
    webPath: (iid) => `/-/merge_requests/${iid}`,
    async show(ports, refs, principal) {
      const view = mergeRequestJson.renderer(ports);
      const found = await Promise.all(
        rowKeys(refs).map((place) => ports.readStore.get(mergeRequests, place)),
      );
      const rows = await shownMergeRequests(ports, mergeabilityFor(ports)).shown(
        found.filter(isThere),
        principal,
      );
      const request = { across: true, ...(await shownLabels(ports.readStore, rows)) };
      return new Map(rows.map((row) => [keyOf(row.id), view.one(row, request)]));
    },
  },

  actions: {
    subjectOf: ({ row }) => ({ ...row, type, isNew: false }),
    change: (ports, { row }, { wishes, times }, { project, caller, metadata }) =>
      mergeRequestCommandsFor(ports).update(wishes, row, project, caller, metadata, times),
    ...mergeRequestDeeds,
  },

  subscriptions: {
    endpoints: mergeRequestSubscriptions,
    participationOf: ({ row }) => row,
    single: (ports, { row }, caller) => shownMergeRequests(ports, mergeabilityFor(ports)).single(row, caller),
  },

  timeTracking: {
    endpoints: mergeRequestTimeTracking,
    timesOf: ({ row }) => row,
    book: ({ commands }, { projectId, iid }, command, metadata) =>
      commands.handle(
        mergeRequestDecider,
        mergeRequestStream(projectId, iid),
        { ...command, projectId, iid },
        metadata,
      ),
  },
};
