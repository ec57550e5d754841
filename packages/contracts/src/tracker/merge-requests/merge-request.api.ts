import { atLeastOne, defineEndpoint, project } from '../../endpoint.ts';
import {
  bool,
  datetime,
  described,
  fallback,
  int,
  list,
  nullable,
  oneOf,
  required,
  text,
} from '../../params.ts';
import { projectId } from '../../shared/common.params.ts';
import { mergeRequestTarget } from './merge-request.target.ts';
import { singleMergeRequestView } from './merge-request.views.ts';

const { path, params: one, feature, signedIn } = mergeRequestTarget;

export const readsMergeRequest = {
  service: 'tracker',
  access: project('anyone', { feature, signedIn }),
} as const;

const content = {
  // Longer texts are refused with the record's message, not the parameter's.
  description: described(nullable(text({ max: 2 * 1024 * 1024 })), 'What it is about, in Markdown', {
    examples: ['It *starts* again.'],
  }),
  assignee_ids: described(list(int()), 'Ids of the users that it is assigned to; an empty list for nobody'),
  assignee_id: described(nullable(int()), 'The older word for `assignee_ids`, for one user'),
  reviewer_ids: described(
    list(int()),
    'Ids of the users who are asked to review it; an empty list for nobody',
  ),
  labels: described(list(text()), 'Labels', { examples: [['bug']] }),
  milestone_id: described(nullable(int()), 'Id of a milestone of the project or a group above; 0 for none'),
  remove_source_branch: described(bool(), 'Whether merging deletes the source branch'),
  squash: described(bool(), 'Whether merging squashes its commits into one'),
  allow_collaboration: described(
    bool(),
    'Whether those who may merge it may push to its source branch in a fork',
  ),
  allow_maintainer_to_push: described(bool(), 'The older word for `allow_collaboration`'),
};

export const createMergeRequest = defineEndpoint({
  service: 'tracker',
  access: project('developer', { feature }),
  id: 'mr-create',
  method: 'POST',
  path: '/projects/:id/merge_requests',
  summary: 'Open a merge request for a branch of this project',
  spec: 'companions 2.8',
  params: {
    id: projectId,
    title: described(required(text()), 'Title; `Draft:` before it says that it is not ready', {
      examples: ['Start the engine'],
    }),
    source_branch: described(required(text({ max: 1024 })), 'Branch of this project that is to be merged', {
      examples: ['feature'],
    }),
    target_branch: described(required(text({ max: 1024 })), 'Branch that it is to be merged into', {
      examples: ['main'],
    }),
    target_project_id: described(
      int(),
      'Id of the project that it is to be merged into; this one by default',
    ),
    ...content,
    approvals_before_merge: described(int({ min: 0, max: 1000 }), 'Approvals that it needs'),
  },
  status: 201,
  otherStatuses: [422],
  response: singleMergeRequestView,
});

export const getMergeRequest = defineEndpoint({
  ...readsMergeRequest,
  id: 'mr-get',
  method: 'GET',
  path,
  summary: 'One merge request',
  spec: 'companions 2.8',
  params: {
    ...one,
    include_diverged_commits_count: described(
      fallback(bool(), false),
      'Adds how many commits the target branch is ahead',
    ),
    include_rebase_in_progress: described(
      fallback(bool(), false),
      'Adds whether it is being rebased; that is over before the request to rebase is answered',
    ),
  },
  response: singleMergeRequestView,
});

export const updateMergeRequest = defineEndpoint({
  ...readsMergeRequest,
  id: 'mr-update',
  method: 'PUT',
  path,
  summary: 'Change, close or reopen a merge request',
  spec: 'companions 2.8',
  params: {
    ...one,
    title: described(text(), 'Title; `Draft:` before it says that it is not ready', {
      examples: ['Start the engine'],
    }),
    target_branch: described(text({ max: 1024 }), 'Branch that it is to be merged into', {
      examples: ['main'],
    }),
    ...content,
    add_labels: described(list(text()), 'Labels to add'),
    remove_labels: described(list(text()), 'Labels to remove'),
    state_event: described(oneOf('close', 'reopen'), 'Closes or reopens it'),
    discussion_locked: described(nullable(bool()), 'Whether only members may comment'),
    updated_at: described(datetime(), 'Time of the change instead of now, for administrators and owners'),
  },
  rules: [
    atLeastOne(
      'title',
      'description',
      'target_branch',
      'assignee_id',
      'assignee_ids',
      'reviewer_ids',
      'milestone_id',
      'labels',
      'add_labels',
      'remove_labels',
      'state_event',
      'discussion_locked',
      'remove_source_branch',
      'squash',
      'allow_collaboration',
      'allow_maintainer_to_push',
      'updated_at',
    ),
  ],
  otherStatuses: [422],
  response: singleMergeRequestView,
});

export const deleteMergeRequest = defineEndpoint({
  service: 'tracker',
  access: project('owner', { feature }),
  id: 'mr-delete',
  method: 'DELETE',
  path,
  summary: 'Delete a merge request',
  spec: 'companions 2.8',
  params: one,
  status: 204,
  otherStatuses: [412],
});

export const mergeRequestRecordEndpoints = [
  createMergeRequest,
  getMergeRequest,
  updateMergeRequest,
  deleteMergeRequest,
];
