import { described, int, required } from '../../params.ts';
import { projectId } from '../../shared/common.params.ts';
import type { TargetContract } from '../targets/target.ts';

const mergeRequestIid = described(required(int()), 'Number of the merge request in its project');
const params = { id: projectId, merge_request_iid: mergeRequestIid };

export const mergeRequestTarget = {
  type: 'MergeRequest',
  id: 'mr',
  name: 'a merge request',
  path: '/projects/:id/merge_requests/:merge_request_iid',
  params,
  feature: 'merge_requests',
  // Every call about merge requests must be authenticated [L260].
  signedIn: true,
} as const satisfies TargetContract;
