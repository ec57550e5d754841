import type { IssueLinkEvent } from '@forgelog/contracts/tracker/issue-links/issue-link.events.ts';
import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { test } from 'vitest';
import { issueDeleted } from '../testing/issue-events.ts';
import { issueLinks, issueLinksProjection } from './issue-links.projection.ts';

const created: IssueLinkEvent = {
  type: 'IssueLinkCreated',
  data: {
    issueLinkId: 3,
    ...{ sourceIssueId: 71, sourceProjectId: 7, sourceIid: 1 },
    ...{ targetIssueId: 72, targetProjectId: 8, targetIid: 2, linkType: 'blocks' },
  },
};

test('a link ends by itself, with either issue and with the project of either', async () => {
  const row = { id: 3, sourceIid: 1, targetProjectId: 8, linkType: 'blocks' };
  await givenEvents(issueLinksProjection, created, issueDeleted(3)).thenDocuments(issueLinks, [row]);
  for (const end of [
    { type: 'IssueLinkDeleted', data: created.data } as const,
    ...[issueDeleted(1), issueDeleted(2)],
    ...[7, 8].map((projectId) => ({ type: 'ProjectDeleted', data: { projectId } })),
  ])
    await givenEvents(issueLinksProjection, created, end).thenDocuments(issueLinks, []);
});
