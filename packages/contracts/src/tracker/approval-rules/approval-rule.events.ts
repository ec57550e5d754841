import { z } from 'zod';
import { defineEvent, type EventOf, privileged } from '../../event.ts';
import { personal } from '../../personal-data.ts';
import { changed } from '../../shared/changes.ts';
import { projectId } from '../../shared/event.fields.ts';
import examples from './approval-rule.events.examples.json' with { type: 'json' };

const ids = {
  approvalRuleId: z.int().describe('Id of the approval rule, unique on the instance.'),
  projectId: projectId.describe('Id of the project that it belongs to.'),
  mergeRequestId: z
    .int()
    .nullable()
    .describe('Id of the only merge request that it is for; null for a rule of the project.'),
  mergeRequestIid: z
    .int()
    .nullable()
    .describe('Number of that merge request in its project; null for a rule of the project.'),
};

const rule = {
  name: personal(z.string().describe('The name, unique in the project or in the merge request.')),
  approvalsRequired: z.int().describe('Number of approvals that it needs; 0 where it only suggests.'),
  userIds: z.array(z.int()).describe('Ids of users who may give them.'),
  groupIds: z.array(z.int()).describe('Ids of groups whose direct members may give them.'),
  protectedBranchIds: z
    .array(z.int())
    .describe('Ids of the protected branches that it is for; empty for all branches.'),
  appliesToAllProtectedBranches: z
    .boolean()
    .describe('Whether it is for all protected branches, and for no other.'),
};

const common = {
  version: 1,
  subject: ['approvalRules-<projectId>', 'approvalRules-<projectId>-<mergeRequestIid>'],
  service: 'tracker',
  audit: privileged('Project', 'ApprovalRule'),
  activity: 'unnamed',
} as const;

export const ApprovalRuleCreated = defineEvent({
  ...common,
  type: 'ApprovalRuleCreated',
  description: 'A rule was created that says who must approve merge requests.',
  example: examples.ApprovalRuleCreated,
  schema: z.object({
    ...ids,
    ruleType: z
      .enum(['regular', 'any_approver'])
      .describe('Whether it names who may approve, or everybody may who can.'),
    sourceRuleId: z
      .int()
      .nullable()
      .describe('Id of the rule of the project that it began as a copy of; null for none.'),
    ...rule,
  }),
});

export const ApprovalRuleUpdated = defineEvent({
  ...common,
  type: 'ApprovalRuleUpdated',
  description: 'A rule that says who must approve merge requests changed.',
  example: examples.ApprovalRuleUpdated,
  schema: z.object({ ...ids, ...changed(rule) }),
});

export const ApprovalRuleDeleted = defineEvent({
  ...common,
  type: 'ApprovalRuleDeleted',
  description: 'A rule that says who must approve merge requests was deleted.',
  example: examples.ApprovalRuleDeleted,
  schema: z.object(ids),
});

export const approvalRuleEvents = [ApprovalRuleCreated, ApprovalRuleUpdated, ApprovalRuleDeleted] as const;
export type ApprovalRuleEvent = EventOf<(typeof approvalRuleEvents)[number]>;
