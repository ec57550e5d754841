import { Rejection } from '@forgelog/contracts/errors.ts';
import { isVisibleGroup } from '@forgelog/directory/authorizer.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import { eq } from '@forgelog/eventing/query.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { approvalBranches } from './approval-branches.projection.ts';
import {
  type ApprovalRule,
  type ApprovalRuleChanges,
  approvalRuleDecider,
  approvalRulesStream,
  type RulesPlace,
} from './approval-rule.decider.ts';
import { ALL_MEMBERS } from './approval-states.query.ts';

/** Approvers and branches as callers name them; undefined where they do not. */
export interface GivenRule {
  name?: string | undefined;
  approvals_required?: number | undefined;
  user_ids?: readonly number[] | undefined;
  usernames?: readonly string[] | undefined;
  group_ids?: readonly number[] | undefined;
  protected_branch_ids?: readonly number[] | undefined;
  applies_to_all_protected_branches?: boolean | undefined;
  remove_hidden_groups?: boolean | undefined;
}

const MOST_BRANCHES = 10_000;

const invalid = (field: string, problem: string) =>
  new Rejection('validation_failed', { fields: { [field]: [problem] } });

/** What callers do to approval rules, of projects and of merge requests. */
export function approvalRuleCommands(
  ports: Pick<ServicePorts, 'commands' | 'ids' | 'readStore' | 'directory'>,
) {
  const { commands, ids, readStore, directory } = ports;

  /** @throws 400 for somebody who is no member of the project */
  async function usersOf(given: GivenRule, projectId: number): Promise<number[] | undefined> {
    const { user_ids: userIds, usernames } = given;
    if (!userIds && !usernames) return undefined;
    const found = new Set<number>();
    const project = await directory.project(projectId);
    const isMember = async (id: number) =>
      project !== undefined && (await directory.projectLevel(id, project)) > 0;
    for (const id of userIds ?? []) {
      if (!(await isMember(id))) throw invalid('user_ids', `has ${id}, who is no member of the project`);
      found.add(id);
    }
    for (const name of usernames ?? []) {
      const user = await directory.userByName(name.replace(/^@/, ''));
      if (!user || !(await isMember(user.id)))
        throw invalid('usernames', `has ${name}, who is no member of the project`);
      found.add(user.id);
    }
    return [...found];
  }

  /**
   * Groups that the caller may not see stay with the rule, unless they are to be removed.
   * @throws 400 for a group that the caller may not see
   */
  async function groupsOf(given: GivenRule, before: readonly number[], caller: Principal) {
    const { group_ids: wanted, remove_hidden_groups: removesHidden = false } = given;
    if (!wanted && !removesHidden) return undefined;
    const seen = new Set<number>();
    for (const id of before) if (await isVisibleGroup(directory, id, caller)) seen.add(id);
    const hidden = removesHidden ? [] : before.filter((id) => !seen.has(id));
    for (const id of wanted ?? [])
      if (!before.includes(id) && !(await isVisibleGroup(directory, id, caller)))
        throw invalid('group_ids', `has ${id}, which is no group that you can see`);
    return [...new Set([...(wanted ?? seen), ...hidden])];
  }

  /** @throws 400 for one that is no protected branch of the project */
  async function branchesOf({ protected_branch_ids: wanted }: GivenRule, projectId: number) {
    if (!wanted) return undefined;
    const where = eq('projectId', projectId);
    const rows = await readStore.find(approvalBranches, { where, limit: MOST_BRANCHES });
    const known = new Set(rows.map(({ id }) => id));
    const unknown = wanted.find((id) => !known.has(id));
    if (unknown !== undefined)
      throw invalid('protected_branch_ids', `has ${unknown}, which is no protected branch of the project`);
    return [...new Set(wanted)];
  }

  return {
    /** @returns its id. @throws 400 */
    async create(
      place: RulesPlace,
      given: GivenRule,
      { type, source }: { type: ApprovalRule['ruleType'] | undefined; source: Copied | null },
      caller: Principal,
      metadata: EventMetadata,
    ): Promise<number> {
      const { projectId } = place;
      const userIds = (await usersOf(given, projectId)) ?? source?.userIds ?? [];
      const groupIds = (await groupsOf(given, [], caller)) ?? source?.groupIds ?? [];
      const namesNobody = userIds.length === 0 && groupIds.length === 0;
      const ruleType = type ?? source?.ruleType ?? (namesNobody ? 'any_approver' : 'regular');
      const isOpen = ruleType === 'any_approver';
      const rule = {
        ...{ ruleType, sourceRuleId: source?.id ?? null },
        name: given.name ?? source?.name ?? ALL_MEMBERS,
        approvalsRequired: given.approvals_required ?? 0,
        userIds: isOpen ? [] : [...userIds],
        groupIds: isOpen ? [] : [...groupIds],
        protectedBranchIds: (await branchesOf(given, projectId)) ?? [],
        appliesToAllProtectedBranches: given.applies_to_all_protected_branches ?? false,
      };
      const stream = approvalRulesStream(place);
      const commandFor = (approvalRuleId: number) =>
        ({ type: 'CreateApprovalRule', approvalRuleId, ...place, ...rule }) as const;
      // Validate before reserving an id.
      const { state } = await commands.load(approvalRuleDecider, stream);
      approvalRuleDecider.decide(commandFor(0), state);
      const id = await ids.next('approvalRule');
      await commands.handle(approvalRuleDecider, stream, commandFor(id), metadata);
      return id;
    },

    /** @throws 400, 404 */
    async update(
      place: RulesPlace,
      id: number,
      given: GivenRule,
      caller: Principal,
      metadata: EventMetadata,
    ): Promise<void> {
      const stream = approvalRulesStream(place);
      const { state } = await commands.load(approvalRuleDecider, stream);
      const rule = state.get(id);
      if (!rule) throw new Rejection('record_not_found');
      const isOpen = rule.ruleType === 'any_approver';
      const changes: ApprovalRuleChanges = {
        ...{ name: given.name, approvalsRequired: given.approvals_required },
        userIds: isOpen ? undefined : await usersOf(given, place.projectId),
        groupIds: isOpen ? undefined : await groupsOf(given, rule.groupIds, caller),
        protectedBranchIds: await branchesOf(given, place.projectId),
        appliesToAllProtectedBranches: given.applies_to_all_protected_branches,
      };
      const command = { type: 'UpdateApprovalRule', approvalRuleId: id, ...place, changes } as const;
      await commands.handle(approvalRuleDecider, stream, command, metadata);
    },

    /** @throws 404 */
    async remove(place: RulesPlace, id: number, metadata: EventMetadata): Promise<void> {
      const command = { type: 'DeleteApprovalRule', approvalRuleId: id, ...place } as const;
      await commands.handle(approvalRuleDecider, approvalRulesStream(place), command, metadata);
    },
  };
}

/** The rule of a project that a merge request begins with. */
interface Copied {
  id: number;
  name: string;
  ruleType: ApprovalRule['ruleType'];
  userIds: readonly number[];
  groupIds: readonly number[];
}
