import {
  IssueClosed,
  IssueDeleted,
  type IssueEvent,
  IssueOpened,
  IssueReopened,
  IssueUpdated,
} from '@forgelog/contracts/tracker/issues/issue.events.ts';
import type { Recorded } from '@forgelog/eventing/define-projection.ts';
import type { ProjectionDocuments } from '@forgelog/eventing/projection.ts';
import { laterActivity } from './activity.ts';
import { projectIssues, projects } from './project.collection.ts';

export type CountedIssueEvent = Extract<
  IssueEvent,
  { type: 'IssueOpened' | 'IssueUpdated' | 'IssueClosed' | 'IssueReopened' | 'IssueDeleted' }
>;

export const countedIssueEvents = [IssueOpened, IssueUpdated, IssueClosed, IssueReopened, IssueDeleted].map(
  ({ type }) => type,
);

/** Idempotent: the issue keeps how it was counted. */
export async function countIssue(
  documents: ProjectionDocuments,
  event: Recorded<CountedIssueEvent>,
): Promise<void> {
  const { issueId: id, projectId } = event.data;
  const project = await documents.get(projects, projectId);
  if (!project) return;
  const known = (await documents.get(projectIssues, id)) ?? {
    id,
    projectId,
    open: false,
    confidential: false,
  };
  const next = { ...known };
  if (event.type === 'IssueOpened') next.confidential = event.data.confidential;
  if (event.type === 'IssueUpdated')
    next.confidential = event.data.changes.confidential ?? known.confidential;
  else next.open = event.type === 'IssueOpened' || event.type === 'IssueReopened';
  if (event.type === 'IssueDeleted') documents.delete(projectIssues, id);
  else documents.put(projectIssues, next);
  const all = Number(next.open) - Number(known.open);
  const shown = Number(next.open && !next.confidential) - Number(known.open && !known.confidential);
  const lastActivityAt = laterActivity(project.lastActivityAt, event.time);
  if (all === 0 && shown === 0 && lastActivityAt === project.lastActivityAt) return;
  const counts = {
    openIssues: project.openIssues + all,
    openPublicIssues: project.openPublicIssues + shown,
  };
  if (lastActivityAt === project.lastActivityAt) documents.amend(projects, projectId, counts);
  else documents.put(projects, { ...project, ...counts, lastActivityAt });
}
