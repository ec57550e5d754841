import { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';
import { bool, described, fallback, int, required } from '../../params.ts';
import { commitView, diffView } from '../../repo/commits/commit.api.ts';
import { datetimeView, defineView, userView } from '../../views.ts';
import { readsMergeRequest } from './merge-request.api.ts';
import { mergeRequestTarget } from './merge-request.target.ts';
import { singleMergeRequestView } from './merge-request.views.ts';
import examples from './merge-request-content.examples.json' with { type: 'json' };

const { path, params: one } = mergeRequestTarget;

/** A state of the source branch that was there to be reviewed (companions 2.8). */
export const versionView = defineView(
  'MergeRequestVersion',
  {
    id: z.int(),
    head_commit_sha: z.string(),
    base_commit_sha: z.string().nullable(),
    start_commit_sha: z.string(),
    created_at: datetimeView,
    merge_request_id: z.int(),
    state: z.literal('collected'),
    real_size: z.string().nullable(),
  },
  examples.MergeRequestVersion,
);

export const singleVersionView = defineView(
  'MergeRequestVersionDetail',
  { ...versionView.shape, commits: z.array(commitView), diffs: z.array(diffView) },
  examples.MergeRequestVersionDetail,
);

export const mergeRequestChangesView = defineView(
  'MergeRequestChanges',
  { ...singleMergeRequestView.shape, changes: z.array(diffView), overflow: z.boolean() },
  examples.MergeRequestChanges,
);

export const listMergeRequestVersions = defineEndpoint({
  ...readsMergeRequest,
  id: 'mr-versions',
  method: 'GET',
  path: `${path}/versions`,
  summary: 'States of the source branch that were there to be reviewed, the newest first',
  spec: 'companions 2.8',
  params: one,
  pagination: 'offset',
  response: z.array(versionView),
});

export const getMergeRequestVersion = defineEndpoint({
  ...readsMergeRequest,
  id: 'mr-version-get',
  method: 'GET',
  path: `${path}/versions/:version_id`,
  summary: 'One such state, with its commits and what they change',
  spec: 'companions 2.8',
  params: {
    ...one,
    version_id: described(required(int()), 'Id of the version, its number in the merge request'),
  },
  response: singleVersionView,
});

export const listMergeRequestCommits = defineEndpoint({
  ...readsMergeRequest,
  id: 'mr-commits',
  method: 'GET',
  path: `${path}/commits`,
  summary: 'Commits of a merge request, the newest first',
  spec: 'companions 2.8',
  params: one,
  pagination: 'commits',
  response: z.array(commitView),
});

export const getMergeRequestChanges = defineEndpoint({
  ...readsMergeRequest,
  id: 'mr-changes',
  method: 'GET',
  path: `${path}/changes`,
  summary: 'One merge request with what it changes',
  spec: 'companions 2.8',
  params: {
    ...one,
    access_raw_diffs: described(
      fallback(bool(), false),
      'Leaves the limits of a diff that people read aside',
    ),
  },
  response: mergeRequestChangesView,
});

export const listMergeRequestDiffs = defineEndpoint({
  ...readsMergeRequest,
  id: 'mr-diffs',
  method: 'GET',
  path: `${path}/diffs`,
  summary: 'Files that a merge request changes',
  spec: 'companions 2.8',
  params: one,
  pagination: 'offset',
  response: z.array(diffView),
});

export const listMergeRequestParticipants = defineEndpoint({
  ...readsMergeRequest,
  id: 'mr-participants',
  method: 'GET',
  path: `${path}/participants`,
  summary: 'Users who opened a merge request, are to act on it, or have commented on it',
  spec: 'companions 2.8',
  params: one,
  pagination: 'offset',
  response: z.array(userView),
});

/** A user who is asked for a review; who has commented or approved since has reviewed. */
export const reviewerView = defineView(
  'MergeRequestReviewer',
  { user: userView, state: z.enum(['unreviewed', 'reviewed']), created_at: datetimeView },
  examples.MergeRequestReviewer,
);

export const listMergeRequestReviewers = defineEndpoint({
  ...readsMergeRequest,
  id: 'mr-reviewers',
  method: 'GET',
  path: `${path}/reviewers`,
  summary: 'Users who are asked to review a merge request, and whether they have',
  spec: 'companions 2.8',
  params: one,
  pagination: 'offset',
  response: z.array(reviewerView),
});

export const mergeRequestContentEndpoints = [
  listMergeRequestReviewers,
  listMergeRequestVersions,
  getMergeRequestVersion,
  listMergeRequestCommits,
  getMergeRequestChanges,
  listMergeRequestDiffs,
  listMergeRequestParticipants,
];
