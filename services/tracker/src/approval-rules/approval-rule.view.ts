import {
  approvalRuleStateView,
  mergeRequestApprovalRuleView,
  projectApprovalRuleView,
} from '@forgelog/contracts/tracker/approval-rules/approval-rule.views.ts';
import { isVisibleGroup } from '@forgelog/directory/authorizer.ts';
import type { DirectoryNamespace } from '@forgelog/directory/collections.ts';
import type { Directory } from '@forgelog/directory/directory.ts';
import type { Visibility } from '@forgelog/service-kit/access.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { given, host, nestedList, text, unlessNull } from '@forgelog/service-kit/view-parts.ts';
import { namespaceFullName, namespacePath, users } from '@forgelog/service-kit/view-placeholders.ts';
import type { ApprovalBranch } from './approval-branches.projection.ts';
import type { ApprovalRuleRow } from './approval-rules.projection.ts';
import type { ApprovalRuleState } from './approval-states.query.ts';
import { eligibleApprovers, type NamedApprovers } from './approvers.query.ts';

interface ShownApprovers {
  eligibleIds: readonly number[];
  /** Users of the rule who have not been deleted. */
  userIds: readonly number[];
  groups: readonly DirectoryNamespace[];
  hidesGroups: boolean;
}

const groupJson = implementView(projectApprovalRuleView.shape.groups.element).from<DirectoryNamespace>({
  id: 'id',
  name: 'name',
  path: 'path',
  full_name: text`${namespaceFullName('id')}`,
  full_path: text`${namespacePath('id')}`,
  visibility: given(({ visibility }: DirectoryNamespace) => visibility as Visibility),
  parent_id: 'parentId',
  avatar_url: unlessNull('avatarUrl', text`${host}${'avatarUrl'}`),
  web_url: text`${host}/groups/${namespacePath('id')}`,
});

const approvers = {
  eligible_approvers: users('eligibleIds'),
  users: users('userIds'),
  groups: nestedList(groupJson, ({ groups }: ShownApprovers) => groups),
  contains_hidden_groups: given(({ hidesGroups }: ShownApprovers) => hidesGroups),
};

interface ShownRule extends Omit<ApprovalRuleRow, 'userIds'>, ShownApprovers {}

interface ShownProjectRule extends ShownRule {
  branches: readonly ApprovalBranch[];
}

export const projectApprovalRuleJson = implementView(projectApprovalRuleView).from<ShownProjectRule>({
  id: 'id',
  name: 'name',
  rule_type: given(({ ruleType }: ShownProjectRule) => ruleType),
  report_type: null,
  approvals_required: 'approvalsRequired',
  ...approvers,
  protected_branches: nestedList(
    implementView(projectApprovalRuleView.shape.protected_branches.element).from<ApprovalBranch>({
      id: 'id',
      name: 'name',
    }),
    ({ branches }: ShownProjectRule) => branches,
  ),
  applies_to_all_protected_branches: 'appliesToAllProtectedBranches',
});

interface Sourced {
  /** The rule of the project that it began with; null for none, and where that was deleted. */
  source: ApprovalRuleRow | null;
}

const sourceOf = ({ source }: Sourced) => source && { approvals_required: source.approvalsRequired };

const same = (a: readonly number[], b: readonly number[]) =>
  a.length === b.length && a.every((id) => b.includes(id));

/** Whether a rule differs from the one that it began with. */
const isOverridden = (
  rule: NamedApprovers & { name: string; approvalsRequired: number },
  source: ApprovalRuleRow | null,
): boolean =>
  source !== null &&
  !(
    rule.name === source.name &&
    rule.approvalsRequired === source.approvalsRequired &&
    same(rule.userIds, source.userIds) &&
    same(rule.groupIds, source.groupIds)
  );

interface ShownMergeRequestRule extends ShownRule, Sourced {
  overridden: boolean;
}

export const mergeRequestApprovalRuleJson = implementView(
  mergeRequestApprovalRuleView,
).from<ShownMergeRequestRule>({
  id: 'id',
  name: 'name',
  rule_type: given(({ ruleType }: ShownMergeRequestRule) => ruleType),
  report_type: null,
  approvals_required: 'approvalsRequired',
  ...approvers,
  source_rule: given(sourceOf),
  overridden: given(({ overridden }: ShownMergeRequestRule) => overridden),
});

export interface ShownRuleState extends Omit<ApprovalRuleState, 'userIds'>, ShownApprovers, Sourced {
  overridden: boolean;
}

export const approvalRuleStateJson = implementView(approvalRuleStateView).from<ShownRuleState>({
  id: given(({ id }: ShownRuleState) => id),
  name: 'name',
  rule_type: given(({ ruleType }: ShownRuleState) => ruleType),
  report_type: null,
  approvals_required: 'required',
  ...approvers,
  source_rule: given(sourceOf),
  overridden: given(({ overridden }: ShownRuleState) => overridden),
  section: given(({ section }: ShownRuleState) => section),
  code_owner: given(({ ruleType }: ShownRuleState) => ruleType === 'code_owner'),
  approved_by: users('approvedByIds'),
  approved: given(({ approved }: ShownRuleState) => approved),
});

type Known = Pick<
  Directory,
  'user' | 'project' | 'projectLevel' | 'groupMembers' | 'namespace' | 'groupLevel' | 'marked'
>;

/** The users and groups of a rule, as the caller sees them. */
async function shownApprovers(
  directory: Known,
  { userIds, groupIds }: NamedApprovers,
  eligibleIds: readonly number[],
  caller: Principal,
): Promise<ShownApprovers> {
  const found = await Promise.all(userIds.map((id) => directory.user(id)));
  const groups: DirectoryNamespace[] = [];
  let hidden = 0;
  for (const id of groupIds) {
    const group = await directory.namespace(id);
    // A group that was deleted is not hidden.
    if (group?.kind !== 'group') continue;
    if (await isVisibleGroup(directory, id, caller)) groups.push(group);
    else hidden += 1;
  }
  const present = found.filter((user) => user !== undefined && user.usernameLower !== null);
  return { eligibleIds, userIds: present.map((user) => user!.id), groups, hidesGroups: hidden > 0 };
}

async function shownRule(directory: Known, rule: ApprovalRuleRow, caller: Principal): Promise<ShownRule> {
  const eligible = await eligibleApprovers(directory, rule.projectId, rule);
  return { ...rule, ...(await shownApprovers(directory, rule, eligible, caller)) };
}

/** @param branches all protected branches of the project */
export async function shownProjectRule(
  directory: Known,
  rule: ApprovalRuleRow,
  branches: readonly ApprovalBranch[],
  caller: Principal,
): Promise<ShownProjectRule> {
  const { appliesToAllProtectedBranches, protectedBranchIds } = rule;
  const named = branches.filter(({ id }) => appliesToAllProtectedBranches || protectedBranchIds.includes(id));
  return { ...(await shownRule(directory, rule, caller)), branches: named };
}

export async function shownMergeRequestRule(
  directory: Known,
  rule: ApprovalRuleRow,
  source: ApprovalRuleRow | null,
  caller: Principal,
): Promise<ShownMergeRequestRule> {
  return { ...(await shownRule(directory, rule, caller)), source, overridden: isOverridden(rule, source) };
}

export async function shownRuleState(
  directory: Known,
  rule: ApprovalRuleState,
  source: ApprovalRuleRow | null,
  caller: Principal,
): Promise<ShownRuleState> {
  const overridden = isOverridden({ ...rule, approvalsRequired: rule.required }, source);
  const approvers = await shownApprovers(directory, rule, rule.eligibleIds, caller);
  return { ...rule, ...approvers, source, overridden };
}
