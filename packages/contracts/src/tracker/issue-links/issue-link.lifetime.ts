import { begins, defineLifetime, endsWith } from '../../lifetime.ts';
import { ProjectDeleted } from '../../repo/projects/project.events.ts';
import { IssueDeleted } from '../issues/issue.events.ts';
import { IssueLinkCreated, IssueLinkDeleted } from './issue-link.events.ts';

export const issueLinkLifetime = defineLifetime({
  kind: 'IssueLink',
  id: ['issueLinkId'],
  begins: [begins(IssueLinkCreated)],
  ends: [
    endsWith(IssueLinkDeleted, ['issueLinkId']),
    endsWith(IssueDeleted, { sourceIssueId: 'issueId' }),
    endsWith(IssueDeleted, { targetIssueId: 'issueId' }),
    endsWith(ProjectDeleted, { sourceProjectId: 'projectId' }),
    endsWith(ProjectDeleted, { targetProjectId: 'projectId' }),
  ],
});
