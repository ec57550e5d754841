import type { PipelineFacts } from '@forgelog/contracts/ci/pipelines/pipeline.operations.ts';
import { listedPipelineView } from '@forgelog/contracts/ci/pipelines/pipeline.views.ts';
import {
  mergeRequestView,
  relatedMergeRequestView,
  simpleMergeRequestView,
  singleMergeRequestView,
} from '@forgelog/contracts/tracker/merge-requests/merge-request.views.ts';
import type { userView } from '@forgelog/contracts/views.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { ifGiven, tier } from '@forgelog/service-kit/view-optional.ts';
import { choose, derived, given, host, nested, text } from '@forgelog/service-kit/view-parts.ts';
import { firstUser, placeholder, projectPath, user, users } from '@forgelog/service-kit/view-placeholders.ts';
import type { z } from 'zod';
import { CLOSER } from '../issues/issue.view.ts';
import { labelsIn, type ShownLabels } from '../labels/shown-labels.ts';
import { milestone } from '../milestones/milestone.placeholder.ts';
import { timeStatsJson } from '../time-tracking/time-tracking.view.ts';
import type { MergeRequest } from './merge-requests.collection.ts';
import type { Mergeability } from './mergeability.ts';

export interface MergeRequestRequest {
  /** Read among those of other projects: `references.relative` is then the full one. */
  across: boolean;
  labels: ShownLabels;
}

export interface ShownMergeRequest extends MergeRequest, Mergeability {
  /** Whether it is merged when the pipeline of the shown commit succeeds. */
  waitsForPipeline: boolean;
  /** The user who merged it, or who set it to be merged. */
  mergeUserId: number | null;
}

const actor = placeholder<z.output<typeof userView> | null>(CLOSER);
const fullReference = text`${projectPath('projectId')}!${'iid'}`;
const shortReference = text`!${'iid'}`;

export const simpleMergeRequestJson = implementView(simpleMergeRequestView).from<MergeRequest>({
  id: 'id',
  iid: 'iid',
  project_id: 'projectId',
  title: 'title',
  description: 'description',
  state: given(({ state }: MergeRequest) => state as z.output<typeof simpleMergeRequestView>['state']),
  created_at: 'createdAt',
  updated_at: 'updatedAt',
  web_url: text`${host}/${projectPath('projectId')}/-/merge_requests/${'iid'}`,
});

export const mergeRequestJson = implementView(mergeRequestView).from<ShownMergeRequest, MergeRequestRequest>({
  ...simpleMergeRequestJson.members,
  merged_by: actor('mergedById'),
  merge_user: actor('mergeUserId'),
  merged_at: 'mergedAt',
  closed_by: actor('closedById'),
  closed_at: 'closedAt',
  target_branch: 'targetBranch',
  source_branch: 'sourceBranch',
  user_notes_count: 'notesCount',
  upvotes: 'upvotes',
  downvotes: 'downvotes',
  author: user('authorId'),
  assignees: users('assigneeIds'),
  assignee: firstUser('assigneeIds'),
  reviewers: users('reviewerIds'),
  source_project_id: 'sourceProjectId',
  target_project_id: 'projectId',
  labels: derived(['labelIds'], labelsIn),
  draft: 'draft',
  work_in_progress: 'draft',
  milestone: milestone('milestoneId'),
  merge_when_pipeline_succeeds: given(({ waitsForPipeline }: ShownMergeRequest) => waitsForPipeline),
  merge_status: given(({ mergeStatus }: ShownMergeRequest) => mergeStatus),
  detailed_merge_status: given(({ detailedStatus }: ShownMergeRequest) => detailedStatus),
  sha: 'sha',
  merge_commit_sha: 'mergeCommitSha',
  squash_commit_sha: 'squashCommitSha',
  discussion_locked: 'discussionLocked',
  should_remove_source_branch: given(({ waitsForPipeline, autoMergeRemovesSource }: ShownMergeRequest) =>
    waitsForPipeline ? autoMergeRemovesSource : null,
  ),
  force_remove_source_branch: 'removeSourceBranch',
  allow_collaboration: 'allowCollaboration',
  allow_maintainer_to_push: 'allowCollaboration',
  reference: shortReference,
  references: {
    short: shortReference,
    relative: choose(({ across }: MergeRequestRequest) => across, fullReference, shortReference),
    full: fullReference,
  },
  time_stats: timeStatsJson.members,
  squash: 'squash',
  task_completion_status: { count: 'taskCount', completed_count: 'tasksCompleted' },
  has_conflicts: given(({ hasConflicts }: ShownMergeRequest) => hasConflicts),
  blocking_discussions_resolved: derived(['openThreads'], (count: number) => count === 0),
  approvals_before_merge: tier('premium', 'approvalsBeforeMerge'),
});

/** What only git and the caller's rights tell. */
export interface MergeRequestDetail {
  changesCount: string | null;
  baseSha: string | null;
  mayMerge: boolean;
}

const headPipelineJson = implementView(listedPipelineView).from<PipelineFacts>({
  id: 'id',
  iid: 'iid',
  project_id: 'projectId',
  status: 'status',
  ref: 'ref',
  sha: 'sha',
  web_url: text`${host}/${projectPath('projectId')}/-/pipelines/${'id'}`,
  created_at: 'createdAt',
  updated_at: 'updatedAt',
});

export interface DetailedMergeRequest extends ShownMergeRequest, MergeRequestDetail {
  /** The newest of its newest commit that the caller may see. */
  pipeline: PipelineFacts | null;
}

export const relatedMergeRequestJson = implementView(relatedMergeRequestView).from<
  DetailedMergeRequest,
  MergeRequestRequest
>({
  ...mergeRequestJson.members,
  changes_count: given(({ changesCount }: DetailedMergeRequest) => changesCount),
  latest_build_started_at: null,
  latest_build_finished_at: null,
  first_deployed_to_production_at: null,
  pipeline: nested(headPipelineJson, ({ pipeline }: DetailedMergeRequest) => pipeline),
  head_pipeline: nested(headPipelineJson, ({ pipeline }: DetailedMergeRequest) => pipeline),
  diff_refs: {
    base_sha: given(({ baseSha }: DetailedMergeRequest) => baseSha),
    head_sha: 'sha',
    start_sha: 'startSha',
  },
  merge_error: 'mergeError',
  user: { can_merge: given(({ mayMerge }: DetailedMergeRequest) => mayMerge) },
});

export interface SingleMergeRequest extends DetailedMergeRequest {
  subscribed: boolean;
  firstContribution: boolean;
  /** Undefined where they were not asked for. */
  divergedCommits: number | undefined;
  rebaseInProgress: boolean | undefined;
}

export const singleMergeRequestJson = implementView(singleMergeRequestView).from<
  SingleMergeRequest,
  MergeRequestRequest
>({
  ...relatedMergeRequestJson.members,
  subscribed: given(({ subscribed }: SingleMergeRequest) => subscribed),
  first_contribution: given(({ firstContribution }: SingleMergeRequest) => firstContribution),
  diverged_commits_count: ifGiven(({ divergedCommits }: SingleMergeRequest) => divergedCommits),
  rebase_in_progress: ifGiven(({ rebaseInProgress }: SingleMergeRequest) => rebaseInProgress),
});
