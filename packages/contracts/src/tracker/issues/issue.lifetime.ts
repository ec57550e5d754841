import { begins, defineLifetime, endsWith } from '../../lifetime.ts';
import { ProjectDeleted } from '../../repo/projects/project.events.ts';
import { IssueDeleted, IssueOpened } from './issue.events.ts';

export const issueLifetime = defineLifetime({
  kind: 'Issue',
  id: ['issueId'],
  begins: [begins(IssueOpened)],
  ends: [endsWith(IssueDeleted, ['issueId']), endsWith(ProjectDeleted, ['projectId'])],
});
