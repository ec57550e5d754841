import { z } from 'zod';
import { defineEndpoint, project } from '../../endpoint.ts';
import { issueView } from '../issues/issue.api.ts';
import { issueTarget } from '../issues/issue.target.ts';
import { readsMergeRequest } from './merge-request.api.ts';
import { mergeRequestTarget } from './merge-request.target.ts';
import { mergeRequestView, relatedMergeRequestView } from './merge-request.views.ts';

const ofIssue = {
  service: 'tracker',
  access: project('anyone', { feature: 'issues' }),
  method: 'GET',
  params: issueTarget.params,
  pagination: 'offset',
} as const;

export const listRelatedMergeRequests = defineEndpoint({
  ...ofIssue,
  id: 'issue-related-mrs',
  path: `${issueTarget.path}/related_merge_requests`,
  summary: 'Merge requests that mention an issue',
  spec: 'api-v4 L250',
  response: z.array(relatedMergeRequestView),
});

export const listClosingMergeRequests = defineEndpoint({
  ...ofIssue,
  id: 'issue-closed-by',
  path: `${issueTarget.path}/closed_by`,
  summary: 'Merge requests whose description says that they close an issue',
  spec: 'companions 2.7',
  response: z.array(mergeRequestView),
});

export const listClosedIssues = defineEndpoint({
  ...readsMergeRequest,
  id: 'mr-closes-issues',
  method: 'GET',
  path: `${mergeRequestTarget.path}/closes_issues`,
  summary: 'Issues that a merge request closes when it is merged into the default branch',
  spec: 'companions 2.8',
  params: mergeRequestTarget.params,
  pagination: 'offset',
  response: z.array(issueView),
});

export const relatedIssueEndpoints = [listRelatedMergeRequests, listClosingMergeRequests, listClosedIssues];
