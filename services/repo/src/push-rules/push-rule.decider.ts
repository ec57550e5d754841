import { Rejection } from '@forgelog/contracts/errors.ts';
import type { PushRuleEvent } from '@forgelog/contracts/repo/push-rules/push-rule.events.ts';
import { changesFrom } from '@forgelog/eventing/changes.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';
import { linearExpression } from './linear-expression.ts';

/** Expressions are of RE2, null where there is none. */
export interface PushRules {
  commitMessageRegex: string | null;
  commitMessageNegativeRegex: string | null;
  branchNameRegex: string | null;
  authorEmailRegex: string | null;
  fileNameRegex: string | null;
  /** MiB; 0 for any. */
  maxFileSize: number;
  preventSecrets: boolean;
  denyDeleteTag: boolean;
  memberCheck: boolean;
  commitCommitterCheck: boolean;
  rejectUnsignedCommits: boolean;
}

/** Undefined keeps a rule. */
export type PushRuleChanges = { [Name in keyof PushRules]?: PushRules[Name] | undefined };

export type PushRuleState = ({ pushRuleId: number } & PushRules) | null;

export type PushRuleCommand = { projectId: number } & (
  | { type: 'CreatePushRule'; pushRuleId: number; rules: PushRuleChanges }
  | { type: 'UpdatePushRule'; changes: PushRuleChanges }
  | { type: 'DeletePushRule' }
);

const NO_RULES: PushRules = {
  commitMessageRegex: null,
  commitMessageNegativeRegex: null,
  branchNameRegex: null,
  authorEmailRegex: null,
  fileNameRegex: null,
  maxFileSize: 0,
  preventSecrets: false,
  denyDeleteTag: false,
  memberCheck: false,
  commitCommitterCheck: false,
  rejectUnsignedCommits: false,
};

/** Parameters of expressions, as a refusal names them. */
const EXPRESSIONS = {
  commitMessageRegex: 'commit_message_regex',
  commitMessageNegativeRegex: 'commit_message_negative_regex',
  branchNameRegex: 'branch_name_regex',
  authorEmailRegex: 'author_email_regex',
  fileNameRegex: 'file_name_regex',
} as const;

export const pushRuleStream = (projectId: number) => `pushRule-${projectId}`;

export const pushRuleDecider: Decider<PushRuleState, PushRuleCommand, PushRuleEvent> = {
  initialState: null,

  decide(command, state) {
    const { projectId } = command;
    if (command.type === 'CreatePushRule') {
      if (state) throw new Rejection('unprocessable', { message: 'Project push rule exists' });
      const { pushRuleId, rules } = command;
      const given = changesFrom<PushRules>(NO_RULES, rules)?.changes ?? {};
      const data = { pushRuleId, projectId, ...NO_RULES, ...given };
      requireValid(data);
      return [{ type: 'PushRuleCreated', data }];
    }
    if (!state) throw new Rejection('not_found', { what: 'Push Rule' });
    const { pushRuleId } = state;
    switch (command.type) {
      case 'UpdatePushRule': {
        const change = changesFrom<PushRules>(state, command.changes);
        if (change === null) return [];
        requireValid({ ...state, ...change.changes });
        return [{ type: 'PushRuleUpdated', data: { pushRuleId, projectId, ...change } }];
      }
      case 'DeletePushRule':
        return [{ type: 'PushRuleDeleted', data: { pushRuleId, projectId } }];
      default:
        return command satisfies never;
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'PushRuleCreated': {
        const { projectId: _, ...rule } = event.data;
        return rule;
      }
      case 'PushRuleUpdated':
        return state && { ...state, ...event.data.changes };
      case 'PushRuleDeleted':
        return null;
      default:
        return event satisfies never;
    }
  },
};

/** Reports all problems at once. */
function requireValid(rules: PushRules): void {
  const fields: Record<string, string[]> = {};
  for (const [name, param] of Object.entries(EXPRESSIONS)) {
    const source = rules[name as keyof typeof EXPRESSIONS];
    if (source !== null && !linearExpression(source)) fields[param] = ['is not a valid RE2 expression'];
  }
  if (Object.keys(fields).length > 0) throw new Rejection('validation_failed', { fields });
}
