import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import {
  type IssueLinkEvent,
  issueLinkEvents,
} from '@forgelog/contracts/tracker/issue-links/issue-link.events.ts';
import { issueLinkLifetime } from '@forgelog/contracts/tracker/issue-links/issue-link.lifetime.ts';
import { IssueDeleted } from '@forgelog/contracts/tracker/issues/issue.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq, or } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

export const issueLinks = defineCollection({
  name: 'issue_links',
  key: 'id',
  fields: {
    id: 'integer',
    sourceIssueId: 'integer',
    sourceProjectId: 'integer',
    sourceIid: 'integer',
    targetIssueId: 'integer',
    targetProjectId: 'integer',
    targetIid: 'integer',
    linkType: 'text',
    createdAt: 'text',
  },
  indexes: [['sourceIssueId'], ['targetIssueId'], ['sourceProjectId'], ['targetProjectId']],
  holds: { lifetime: issueLinkLifetime },
  ownedBy: [
    endsWith(IssueDeleted, ({ issueId }) => endOf(issueId)),
    endsWith(ProjectDeleted, ({ projectId }) =>
      or(eq('sourceProjectId', projectId), eq('targetProjectId', projectId)),
    ),
  ],
});

export type IssueLinkRow = DocumentOf<typeof issueLinks>;

/** Links of which an issue is one end. */
export const endOf = (issueId: number) => or(eq('sourceIssueId', issueId), eq('targetIssueId', issueId));

export const issueLinksProjection = defineProjection<IssueLinkEvent>({
  name: 'issue-links',
  collections: [issueLinks],
  handles: issueLinkEvents.map(({ type }) => type),
  async project({ type, data, time }, documents) {
    const { issueLinkId: id, ...link } = data;
    if (type === 'IssueLinkDeleted') return documents.delete(issueLinks, id);
    documents.put(issueLinks, { id, ...link, createdAt: time });
  },
});
