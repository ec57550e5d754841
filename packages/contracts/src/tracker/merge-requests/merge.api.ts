import { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';
import { bool, described, text } from '../../params.ts';
import { defineView } from '../../views.ts';
import examples from './merge.examples.json' with { type: 'json' };
import { readsMergeRequest } from './merge-request.api.ts';
import { mergeRequestTarget } from './merge-request.target.ts';
import { singleMergeRequestView } from './merge-request.views.ts';

const { path, params: one } = mergeRequestTarget;

/** Clients look again at the merge request, which has the new commits already. */
export const rebaseProgressView = defineView(
  'RebaseProgress',
  { rebase_in_progress: z.boolean() },
  examples.RebaseProgress,
);
export const mergeRefView = defineView('MergeRef', { commit_id: z.string() }, examples.MergeRef);

export const mergeMergeRequest = defineEndpoint({
  // Whoever may not merge is answered 401, as clients of the family expect.
  ...readsMergeRequest,
  id: 'mr-merge',
  method: 'PUT',
  path: `${path}/merge`,
  summary: 'Merge a merge request, at once or when its pipeline has succeeded',
  spec: 'companions 2.8',
  params: {
    ...one,
    merge_commit_message: described(text({ max: 1024 * 1024 }), 'Message of the merge commit', {
      examples: ["Merge branch 'feature'"],
    }),
    squash_commit_message: described(text({ max: 1024 * 1024 }), 'Message of the squashed commit'),
    squash: described(bool(), 'Whether its commits are squashed into one, where the project leaves it open'),
    should_remove_source_branch: described(bool(), 'Whether the source branch is deleted'),
    sha: described(text({ max: 64 }), 'The commit that the caller has seen; another one is refused'),
    merge_when_pipeline_succeeds: described(
      bool(),
      'Merge when the pipeline that is under way has succeeded; at once where there is none, or it has',
    ),
  },
  otherStatuses: [405, 406],
  response: singleMergeRequestView,
});

export const cancelAutoMerge = defineEndpoint({
  ...readsMergeRequest,
  id: 'mr-cancel-auto-merge',
  method: 'POST',
  path: `${path}/cancel_merge_when_pipeline_succeeds`,
  summary: 'No longer merge a merge request when its pipeline succeeds',
  spec: 'companions 2.8',
  params: one,
  status: 201,
  otherStatuses: [405, 406],
  response: singleMergeRequestView,
});

export const rebaseMergeRequest = defineEndpoint({
  ...readsMergeRequest,
  id: 'mr-rebase',
  method: 'PUT',
  path: `${path}/rebase`,
  summary: 'Put the commits of a merge request on top of its target branch',
  spec: 'companions 2.8',
  params: {
    ...one,
    skip_ci: described(bool(), 'Whether the new commits start no pipeline', { examples: [true] }),
  },
  status: 202,
  otherStatuses: [405, 406, 422],
  response: rebaseProgressView,
});

export const getMergeRef = defineEndpoint({
  ...readsMergeRequest,
  id: 'mr-merge-ref',
  method: 'GET',
  path: `${path}/merge_ref`,
  summary: 'The commit that merging would make, which `refs/merge-requests/<iid>/merge` then names',
  spec: 'companions 2.8',
  params: one,
  response: mergeRefView,
});

export const mergeEndpoints = [mergeMergeRequest, cancelAutoMerge, rebaseMergeRequest, getMergeRef];
