import { z } from 'zod';
import { defineEndpoint, project } from '../../endpoint.ts';
import { described, fallback, idOrPath, int, oneOf, required } from '../../params.ts';
import { datetimeView, defineView } from '../../views.ts';
import { issueView } from '../issues/issue.api.ts';
import { issueTarget } from '../issues/issue.target.ts';
import examples from './issue-link.examples.json' with { type: 'json' };

export const linkWords = ['relates_to', 'blocks', 'is_blocked_by'] as const;

/** An issue that is linked to the one asked about, which is related to it, blocks it or is blocked by it. */
export const linkedIssueView = defineView(
  'LinkedIssue',
  {
    ...issueView.shape,
    issue_link_id: z.int(),
    link_type: z.enum(linkWords),
    link_created_at: datetimeView,
    link_updated_at: datetimeView,
  },
  examples.LinkedIssue,
);

/** A link of two issues; of one that blocks, the source is what blocks. */
export const issueLinkView = defineView(
  'IssueLink',
  {
    id: z.int(),
    source_issue: issueView,
    target_issue: issueView,
    link_type: z.enum(['relates_to', 'blocks']),
  },
  examples.IssueLink,
);

/** A list is whole: some clients of it read one page only. */
export const MOST_LINKS = 500;

const common = { service: 'tracker', spec: 'companions 2.7' } as const;
const path = `${issueTarget.path}/links`;

export const listIssueLinks = defineEndpoint({
  ...common,
  access: project('anyone', { feature: 'issues' }),
  id: 'issue-link-list',
  method: 'GET',
  path,
  summary: 'Issues that are linked to an issue, as far as the caller may see them',
  params: issueTarget.params,
  response: z.array(linkedIssueView),
});

export const createIssueLink = defineEndpoint({
  ...common,
  access: project('reporter', { feature: 'issues' }),
  id: 'issue-link-create',
  method: 'POST',
  path,
  summary: 'Link an issue to another one, of any project in which the caller is a reporter',
  params: {
    ...issueTarget.params,
    target_project_id: described(
      required(idOrPath()),
      'Id or URL-encoded full path of the project of the other issue',
      { examples: ['5'] },
    ),
    target_issue_iid: described(required(int()), 'Number of the other issue in its project', {
      examples: [2],
    }),
    link_type: described(
      fallback(oneOf(...linkWords), 'relates_to'),
      'What the issue has to do with the other one; `blocks` and `is_blocked_by` from the premium edition on',
    ),
  },
  status: 201,
  otherStatuses: [409],
  response: issueLinkView,
});

export const deleteIssueLink = defineEndpoint({
  ...common,
  access: project('reporter', { feature: 'issues' }),
  id: 'issue-link-delete',
  method: 'DELETE',
  path: `${path}/:issue_link_id`,
  summary: 'Take the link of two issues away, from either of them',
  params: { ...issueTarget.params, issue_link_id: described(required(int()), 'Id of the link') },
  response: issueLinkView,
});

export const issueLinkEndpoints = [listIssueLinks, createIssueLink, deleteIssueLink];
