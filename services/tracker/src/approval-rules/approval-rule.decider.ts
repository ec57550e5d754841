import { Rejection } from '@forgelog/contracts/errors.ts';
import type { EventOf } from '@forgelog/contracts/event.ts';
import type {
  ApprovalRuleCreated,
  ApprovalRuleEvent,
} from '@forgelog/contracts/tracker/approval-rules/approval-rule.events.ts';
import { changesFrom } from '@forgelog/eventing/changes.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';

type Created = EventOf<typeof ApprovalRuleCreated>['data'];

/** Where rules belong: to a project, or to one of its merge requests. */
export type RulesPlace = Pick<Created, 'projectId' | 'mergeRequestId' | 'mergeRequestIid'>;
export type ApprovalRule = Omit<Created, keyof RulesPlace | 'approvalRuleId'>;
type Changeable = Omit<ApprovalRule, 'ruleType' | 'sourceRuleId'>;
/** Undefined keeps a value. */
export type ApprovalRuleChanges = { [Name in keyof Changeable]?: Changeable[Name] | undefined };

/** The rules of one place, by id. */
export type ApprovalRulesState = ReadonlyMap<number, ApprovalRule>;

export type ApprovalRuleCommand = RulesPlace & { approvalRuleId: number } & (
    | ({ type: 'CreateApprovalRule' } & ApprovalRule)
    | { type: 'UpdateApprovalRule'; changes: ApprovalRuleChanges }
    | { type: 'DeleteApprovalRule' }
  );

export const approvalRulesStream = ({ projectId, mergeRequestIid }: RulesPlace): string =>
  mergeRequestIid === null ? `approvalRules-${projectId}` : `approvalRules-${projectId}-${mergeRequestIid}`;

/** The most rules of a project, and of a merge request. */
export const MAX_APPROVAL_RULES = 100;

export const approvalRuleDecider: Decider<ApprovalRulesState, ApprovalRuleCommand, ApprovalRuleEvent> = {
  initialState: new Map(),

  decide(command, state) {
    const { approvalRuleId, projectId, mergeRequestId, mergeRequestIid } = command;
    const ids = { approvalRuleId, projectId, mergeRequestId, mergeRequestIid };
    if (command.type === 'CreateApprovalRule') {
      const { type: _, ...given } = command;
      const data = { ...given, name: given.name.trim() };
      requireValid(data, [...state.values()]);
      return [{ type: 'ApprovalRuleCreated', data }];
    }
    const rule = state.get(approvalRuleId);
    if (!rule) throw new Rejection('record_not_found');
    switch (command.type) {
      case 'UpdateApprovalRule': {
        const { name, ...others } = command.changes;
        const change = changesFrom<Changeable>(rule, { ...others, name: name?.trim() });
        if (change === null) return [];
        const rest = [...state].filter(([id]) => id !== approvalRuleId).map(([, other]) => other);
        requireValid({ ...rule, ...(change.changes as Partial<Changeable>) }, rest);
        return [{ type: 'ApprovalRuleUpdated', data: { ...ids, ...change } }];
      }
      case 'DeleteApprovalRule':
        return [{ type: 'ApprovalRuleDeleted', data: ids }];
      default:
        return command satisfies never;
    }
  },

  evolve(state, event) {
    const { approvalRuleId } = event.data;
    const next = new Map(state);
    switch (event.type) {
      case 'ApprovalRuleCreated': {
        const {
          approvalRuleId: _,
          projectId: __,
          mergeRequestId: ___,
          mergeRequestIid: ____,
          ...rule
        } = event.data;
        next.set(approvalRuleId, rule);
        break;
      }
      case 'ApprovalRuleUpdated': {
        const current = state.get(approvalRuleId);
        if (current) next.set(approvalRuleId, { ...current, ...event.data.changes });
        break;
      }
      case 'ApprovalRuleDeleted':
        next.delete(approvalRuleId);
        break;
      default:
        event satisfies never;
    }
    return next;
  },
};

/** Names are told apart without regard to case. */
function requireValid({ name, ruleType }: ApprovalRule, others: readonly ApprovalRule[]): void {
  const invalid = (field: string, problem: string) =>
    new Rejection('validation_failed', { fields: { [field]: [problem] } });
  if (name === '') throw invalid('name', "can't be blank");
  if (others.some((other) => other.name.toLowerCase() === name.toLowerCase()))
    throw invalid('name', 'has already been taken');
  if (ruleType === 'any_approver' && others.some((other) => other.ruleType === 'any_approver'))
    throw invalid('rule_type', 'any_approver already exists: change that rule, or delete it');
  if (others.length >= MAX_APPROVAL_RULES)
    throw invalid('approval_rules', `are too many: there can be ${MAX_APPROVAL_RULES}`);
}
