import { begins, changedBy, defineLifetime, endsWith } from '../../lifetime.ts';
import { ProjectDeleted } from '../../repo/projects/project.events.ts';
import {
  IssueClosed,
  IssueDeleted,
  IssueEpicSet,
  IssueIterationSet,
  IssueMoved,
  IssueOpened,
  IssueReopened,
  IssueReordered,
  IssueTimeEstimateSet,
  IssueTimeSpentReset,
  IssueUpdated,
} from './issue.events.ts';

export const issueLifetime = defineLifetime({
  kind: 'Issue',
  id: ['issueId'],
  begins: [
    begins(IssueOpened, {
      fixed: {
        state: 'opened',
        discussionLocked: false,
        timeEstimate: 0,
        movedToId: null,
        relativePosition: null,
        epicId: null,
        epicPosition: null,
        iterationId: null,
      },
    }),
  ],
  changes: changedBy(
    IssueUpdated,
    IssueClosed,
    IssueReopened,
    IssueMoved,
    IssueReordered,
    IssueEpicSet,
    IssueIterationSet,
    IssueTimeEstimateSet,
    IssueTimeSpentReset,
  ),
  ends: [endsWith(IssueDeleted, ['issueId']), endsWith(ProjectDeleted, ['projectId'])],
});
