import { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';
import { described, required, text } from '../../params.ts';
import { projectId } from '../../shared/common.params.ts';
import { readsMergeRequest } from './merge-request.api.ts';
import { mergeRequestView } from './merge-request.views.ts';

export const listMergeRequestsOfCommit = defineEndpoint({
  ...readsMergeRequest,
  id: 'commit-mrs',
  method: 'GET',
  path: '/projects/:id/repository/commits/:sha/merge_requests',
  summary: 'Merge requests that brought a commit, or would, the newest first',
  spec: 'companions 2.5',
  params: {
    id: projectId,
    sha: described(
      required(text({ max: 1024 })),
      'Id of the commit, an abbreviation of it, or a branch or tag',
    ),
  },
  pagination: 'offset',
  response: z.array(mergeRequestView),
});
