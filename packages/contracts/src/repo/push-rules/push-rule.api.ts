import { z } from 'zod';
import { defineEndpoint, project } from '../../endpoint.ts';
import { bool, described, int, nullable, text } from '../../params.ts';
import { projectId } from '../../shared/common.params.ts';
import { datetimeView, defineView } from '../../views.ts';
import examples from './push-rule.examples.json' with { type: 'json' };

/** The most characters of an expression. */
export const MAX_EXPRESSION = 511;

const expressionView = z.string().nullable();

/** Push rule (companions 2.3). */
export const pushRuleView = defineView(
  'PushRule',
  {
    id: z.int(),
    project_id: z.int(),
    created_at: datetimeView,
    commit_message_regex: expressionView,
    commit_message_negative_regex: expressionView,
    branch_name_regex: expressionView,
    author_email_regex: expressionView,
    file_name_regex: expressionView,
    max_file_size: z.int(),
    prevent_secrets: z.boolean(),
    deny_delete_tag: z.boolean(),
    member_check: z.boolean(),
    commit_committer_check: z.boolean(),
    reject_unsigned_commits: z.boolean(),
  },
  examples.PushRule,
);

const expression = (description: string, example: string) =>
  described(nullable(text({ max: MAX_EXPRESSION })), `${description}, an expression of RE2; empty for none`, {
    examples: [example],
  });

const rules = {
  commit_message_regex: expression('What all commit messages must match', '^[A-Z]+-\\d+ '),
  commit_message_negative_regex: expression('What no commit message may match', 'ssh\\:\\/\\/'),
  branch_name_regex: expression('What names of branches must match, the default branch excepted', '^fix/'),
  author_email_regex: expression('What addresses of authors must match', '@example\\.org$'),
  file_name_regex: expression('What no name of a new file may match', '\\.exe$'),
  max_file_size: described(int({ min: 0, max: 1_000_000 }), 'Largest size of a new file in MiB; 0 for any'),
  prevent_secrets: described(bool(), 'Whether files that are named like keys are refused'),
  deny_delete_tag: described(bool(), 'Whether git may not delete tags; the API may'),
  member_check: described(bool(), 'Whether authors must be users of the instance'),
  commit_committer_check: described(bool(), 'Whether people may only push commits that they committed'),
  reject_unsigned_commits: described(bool(), 'Whether pushed commits must have a signature'),
};

const one = {
  service: 'repo',
  spec: 'companions 2.3',
  access: project('maintainer'),
  tier: 'premium',
  path: '/projects/:id/push_rule',
} as const;

export const getPushRule = defineEndpoint({
  ...one,
  id: 'push-rule-get',
  method: 'GET',
  summary: 'Rules for what is pushed to a project; null where it has none',
  params: { id: projectId },
  response: pushRuleView.nullable(),
});

export const createPushRule = defineEndpoint({
  ...one,
  id: 'push-rule-create',
  method: 'POST',
  summary: 'Give a project rules for what is pushed to it',
  params: { id: projectId, ...rules },
  status: 201,
  otherStatuses: [422],
  response: pushRuleView,
});

export const updatePushRule = defineEndpoint({
  ...one,
  id: 'push-rule-update',
  method: 'PUT',
  summary: 'Change the rules for what is pushed to a project',
  params: { id: projectId, ...rules },
  response: pushRuleView,
});

export const deletePushRule = defineEndpoint({
  ...one,
  id: 'push-rule-delete',
  method: 'DELETE',
  summary: 'Delete the rules for what is pushed to a project',
  params: { id: projectId },
  status: 204,
});

export const pushRuleEndpoints = [getPushRule, createPushRule, updatePushRule, deletePushRule];
