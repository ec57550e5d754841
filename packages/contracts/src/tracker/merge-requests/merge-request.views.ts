import { z } from 'zod';
import { listedPipelineView } from '../../ci/pipelines/pipeline.views.ts';
import { datetimeView, defineView, userView } from '../../views.ts';
import { issueView, labelDetailsView } from '../issues/issue.api.ts';
import { milestoneView } from '../milestones/milestone.api.ts';
import { timeStatsView } from '../time-tracking/time-tracking.api.ts';
import examples from './merge-request.examples.json' with { type: 'json' };

/** In the simple form of lists, `view=simple` [L267]. */
export const simpleMergeRequestView = defineView(
  'SimpleMergeRequest',
  {
    id: z.int(),
    iid: z.int(),
    project_id: z.int(),
    title: z.string(),
    description: z.string().nullable(),
    state: z.enum(['opened', 'closed', 'locked', 'merged']),
    created_at: datetimeView,
    updated_at: datetimeView,
    web_url: z.string(),
  },
  examples.SimpleMergeRequest,
);

/** Merge request [L72]; mergeability is that of the commits that the answer shows. */
export const mergeRequestView = defineView(
  'MergeRequest',
  {
    ...simpleMergeRequestView.shape,
    merged_by: userView.nullable(),
    merge_user: userView.nullable(),
    merged_at: datetimeView.nullable(),
    closed_by: userView.nullable(),
    closed_at: datetimeView.nullable(),
    target_branch: z.string(),
    source_branch: z.string(),
    user_notes_count: z.int(),
    upvotes: z.int(),
    downvotes: z.int(),
    author: userView,
    assignees: z.array(userView),
    assignee: userView.nullable(),
    reviewers: z.array(userView),
    source_project_id: z.int(),
    target_project_id: z.int(),
    labels: z.union([z.array(z.string()), z.array(labelDetailsView)]),
    draft: z.boolean(),
    work_in_progress: z.boolean(),
    milestone: milestoneView.nullable(),
    merge_when_pipeline_succeeds: z.boolean(),
    merge_status: z.enum(['can_be_merged', 'cannot_be_merged']),
    detailed_merge_status: z.enum([
      'mergeable',
      'not_open',
      'draft_status',
      'discussions_not_resolved',
      'conflict',
      'broken_status',
      'need_rebase',
      'not_approved',
      'ci_must_pass',
    ]),
    sha: z.string(),
    merge_commit_sha: z.string().nullable(),
    squash_commit_sha: z.string().nullable(),
    discussion_locked: z.boolean(),
    should_remove_source_branch: z.boolean().nullable(),
    force_remove_source_branch: z.boolean(),
    allow_collaboration: z.boolean(),
    allow_maintainer_to_push: z.boolean(),
    reference: z.string(),
    references: defineView('MergeRequestReferences', {
      short: z.string(),
      relative: z.string(),
      full: z.string(),
    }),
    time_stats: timeStatsView,
    squash: z.boolean(),
    task_completion_status: issueView.shape.task_completion_status,
    has_conflicts: z.boolean(),
    blocking_discussions_resolved: z.boolean(),
    approvals_before_merge: z.int().nullable().optional(),
  },
  examples.MergeRequest,
);

/** What a merge request beside an issue and one by itself say more [L72]. */
const detail = {
  changes_count: z.string().nullable(),
  latest_build_started_at: z.null(),
  latest_build_finished_at: z.null(),
  first_deployed_to_production_at: z.null(),
  /** Both the newest pipeline of its newest commit that the caller may see. */
  pipeline: listedPipelineView.nullable(),
  head_pipeline: listedPipelineView.nullable(),
  diff_refs: defineView('DiffRefs', {
    base_sha: z.string().nullable(),
    head_sha: z.string(),
    start_sha: z.string(),
  }),
  merge_error: z.string().nullable(),
  user: defineView('MergeRequestCaller', { can_merge: z.boolean() }),
};

export const relatedMergeRequestView = defineView(
  'RelatedMergeRequest',
  { ...mergeRequestView.shape, ...detail },
  examples.RelatedMergeRequest,
);

/** One by itself (companions 2.8). */
export const singleMergeRequestView = defineView(
  'MergeRequestDetail',
  {
    ...mergeRequestView.shape,
    ...detail,
    subscribed: z.boolean(),
    first_contribution: z.boolean(),
    diverged_commits_count: z.int().optional(),
    rebase_in_progress: z.boolean().optional(),
  },
  examples.MergeRequestDetail,
);
