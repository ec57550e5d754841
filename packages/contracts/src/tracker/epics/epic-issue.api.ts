import { z } from 'zod';
import { atLeastOne, defineEndpoint, group } from '../../endpoint.ts';
import { described, int, required } from '../../params.ts';
import { groupId } from '../../shared/common.params.ts';
import { defineView } from '../../views.ts';
import { issueView } from '../issues/issue.api.ts';
import { epicView } from './epic.api.ts';
import examples from './epic-issue.examples.json' with { type: 'json' };

/** An issue of an epic. It is in one epic at most, so that `epic_issue_id` is its id. */
export const epicIssueView = defineView(
  'EpicIssue',
  { ...issueView.shape, epic_issue_id: z.int() },
  examples.EpicIssue,
);

export const epicIssueLinkView = defineView(
  'EpicIssueLink',
  { id: z.int(), epic: epicView, issue: issueView },
  examples.EpicIssueLink,
);

/** So many issues a reordering answers with. */
export const MOST_REORDERED = 100;

const common = { service: 'tracker', tier: 'ultimate', spec: 'api-v4 L355' } as const;
const writes = { ...common, access: group('reporter') } as const;
const path = '/groups/:id/epics/:epic_iid/issues';
const epic = { id: groupId, epic_iid: described(required(int()), 'Number of the epic in its group') };
const one = {
  ...epic,
  issue_id: described(
    required(int()),
    'Id of the issue, not its number in its project; `epic_issue_id` tells it too',
  ),
};
const neighbour = (where: string) =>
  described(int(), `Id of the issue of the epic that is to be ${where} this one`, { examples: [84] });

export const listEpicIssues = defineEndpoint({
  ...common,
  access: group('anyone'),
  id: 'epic-issue-list',
  method: 'GET',
  path,
  summary: 'Issues of an epic that the caller may see, in the order that people gave them',
  params: epic,
  pagination: 'offset',
  response: z.array(epicIssueView),
});

export const assignEpicIssue = defineEndpoint({
  ...writes,
  id: 'epic-issue-assign',
  method: 'POST',
  path: `${path}/:issue_id`,
  summary: 'Put an issue into an epic, out of the one that it is in',
  params: one,
  status: 201,
  response: epicIssueLinkView,
});

export const reorderEpicIssue = defineEndpoint({
  ...writes,
  id: 'epic-issue-reorder',
  method: 'PUT',
  path: `${path}/:issue_id`,
  summary: `Give an issue another place in its epic; answers with the first ${MOST_REORDERED}`,
  params: { ...one, move_before_id: neighbour('before'), move_after_id: neighbour('behind') },
  rules: [atLeastOne('move_before_id', 'move_after_id')],
  response: z.array(epicIssueView),
});

export const removeEpicIssue = defineEndpoint({
  ...writes,
  id: 'epic-issue-remove',
  method: 'DELETE',
  path: `${path}/:issue_id`,
  summary: 'Take an issue out of an epic',
  params: one,
  response: epicIssueLinkView,
});

export const epicIssueEndpoints = [listEpicIssues, assignEpicIssue, reorderEpicIssue, removeEpicIssue];
