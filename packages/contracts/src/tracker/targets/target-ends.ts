import { type Ending, endsWith } from '../../lifetime.ts';
import { ProjectDeleted } from '../../repo/projects/project.events.ts';
import { IssueDeleted } from '../issues/issue.events.ts';
import { MergeRequestDeleted } from '../merge-requests/merge-request.events.ts';

/** The ends of a record with its target, for one that names it by `targetType` and `targetId`, and with its project. */
export const endsWithTarget: readonly Ending[] = [
  endsWith(IssueDeleted, { targetId: 'issueId' }, { ofRecord: { targetType: 'Issue' } }),
  endsWith(MergeRequestDeleted, { targetId: 'mergeRequestId' }, { ofRecord: { targetType: 'MergeRequest' } }),
  endsWith(ProjectDeleted, ['projectId']),
];
