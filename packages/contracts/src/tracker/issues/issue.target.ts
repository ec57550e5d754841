import { issueIid, projectId } from '../../shared/common.params.ts';
import type { TargetContract } from '../targets/target.ts';

const params = { id: projectId, issue_iid: issueIid };

export const issueTarget = {
  type: 'Issue',
  id: 'issue',
  name: 'an issue',
  path: '/projects/:id/issues/:issue_iid',
  params,
  feature: 'issues',
  signedIn: false,
} as const satisfies TargetContract;
