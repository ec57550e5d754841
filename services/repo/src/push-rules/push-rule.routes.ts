import type { ParamsOf } from '@forgelog/contracts/endpoint.ts';
import {
  createPushRule,
  deletePushRule,
  getPushRule,
  updatePushRule,
} from '@forgelog/contracts/repo/push-rules/push-rule.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { json, noContent, value } from '@forgelog/service-kit/answer.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { type PushRuleChanges, pushRuleDecider, pushRuleStream } from './push-rule.decider.ts';
import { pushRuleJson } from './push-rule.view.ts';
import { pushRules } from './push-rules.projection.ts';

export function pushRuleRoutes(ports: ServicePorts): Implementation[] {
  const { commands, ids, readStore } = ports;
  const view = pushRuleJson.renderer(ports);

  async function answerOf(projectId: number, status = 200) {
    const row = await readStore.get(pushRules, projectId);
    return row ? json(view.one(row), { status }) : value(null);
  }

  return [
    implement(getPushRule, async ({ project }) => answerOf(project.project.id)),

    implement(createPushRule, async ({ params, project, metadata }) => {
      const projectId = project.project.id;
      const stream = pushRuleStream(projectId);
      const commandFor = (pushRuleId: number) =>
        ({ type: 'CreatePushRule', projectId, pushRuleId, rules: changesOf(params) }) as const;
      // Validate before reserving an id.
      const { state } = await commands.load(pushRuleDecider, stream);
      pushRuleDecider.decide(commandFor(0), state);
      await commands.handle(pushRuleDecider, stream, commandFor(await ids.next('pushRule')), metadata);
      return answerOf(projectId, 201);
    }),

    implement(updatePushRule, async ({ params, project, metadata }) => {
      const projectId = project.project.id;
      const command = { type: 'UpdatePushRule', projectId, changes: changesOf(params) } as const;
      await commands.handle(pushRuleDecider, pushRuleStream(projectId), command, metadata);
      return answerOf(projectId);
    }),

    implement(deletePushRule, async ({ project, metadata }) => {
      const projectId = project.project.id;
      const command = { type: 'DeletePushRule', projectId } as const;
      await commands.handle(pushRuleDecider, pushRuleStream(projectId), command, metadata);
      return noContent();
    }),
  ];
}

/** An empty expression is none. */
const expression = (text: string | null | undefined) => (text === '' ? null : text);

const changesOf = (params: ParamsOf<typeof updatePushRule>): PushRuleChanges => ({
  commitMessageRegex: expression(params.commit_message_regex),
  commitMessageNegativeRegex: expression(params.commit_message_negative_regex),
  branchNameRegex: expression(params.branch_name_regex),
  authorEmailRegex: expression(params.author_email_regex),
  fileNameRegex: expression(params.file_name_regex),
  maxFileSize: params.max_file_size,
  preventSecrets: params.prevent_secrets,
  denyDeleteTag: params.deny_delete_tag,
  memberCheck: params.member_check,
  commitCommitterCheck: params.commit_committer_check,
  rejectUnsignedCommits: params.reject_unsigned_commits,
});
