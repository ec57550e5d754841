import type { IssueLinkEvent } from '@forgelog/contracts/tracker/issue-links/issue-link.events.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { expect, test } from 'vitest';
import { type IssueLink, issueLinkDecider, issueLinkStream } from './issue-link.decider.ts';

const link: IssueLink = {
  issueLinkId: 3,
  ...{ sourceIssueId: 71, sourceProjectId: 7, sourceIid: 1 },
  ...{ targetIssueId: 82, targetProjectId: 8, targetIid: 2, linkType: 'relates_to' },
};
const created: IssueLinkEvent = { type: 'IssueLinkCreated', data: link };
const deleted: IssueLinkEvent = { type: 'IssueLinkDeleted', data: link };
const create = { type: 'LinkIssues', ...link } as const;
const remove = { type: 'UnlinkIssues', issueLinkId: 3 } as const;

test('two issues have one link at a time, whichever is named first', () => {
  expect(issueLinkStream(71, 82)).toBe(issueLinkStream(82, 71));
  given(issueLinkDecider).when(create).thenEvents(created);
  const refusal = { message: 'Issue(s) already assigned' };
  given(issueLinkDecider, created).when(create).thenRejected('conflict', refusal);
  given(issueLinkDecider, created, deleted).when(create).thenEvents(created);
});

test('an issue is not linked to itself', () => {
  given(issueLinkDecider)
    .when({ ...create, targetIssueId: 71 })
    .thenRejected('refused', { message: 'An issue cannot be related to itself' });
});

test('a link is taken away once, and no other in its stead', () => {
  given(issueLinkDecider, created).when(remove).thenEvents(deleted);
  for (const history of [[], [created, deleted], [{ ...created, data: { ...link, issueLinkId: 4 } }]])
    given(issueLinkDecider, ...history)
      .when(remove)
      .thenRejected('not_found', { message: '404 Issue Link Not Found' });
});
