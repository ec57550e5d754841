import type { OwnedLine } from '@forgelog/contracts/repo/code-owners/code-owner.operations.ts';
import { listMergeCommits, MERGE_BOUNDS } from '@forgelog/contracts/repo/merges/merge.operations.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { createLru } from '@forgelog/eventing/lru.ts';
import { and, asc, eq, oneOf } from '@forgelog/eventing/query.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { refPattern } from '@forgelog/service-kit/ref-pattern.ts';
import type { MergeRequest } from '../merge-requests/merge-requests.collection.ts';
import { type MergeSettings, mergeSettingsOf } from '../merge-requests/merge-settings.projection.ts';
import { type ApprovalBranch, approvalBranches } from './approval-branches.projection.ts';
import { MAX_APPROVAL_RULES } from './approval-rule.decider.ts';
import { type ApprovalRuleRow, approvalRules } from './approval-rules.projection.ts';
import { countedApprovals, isForBranch, type JudgedRule, judge, mayCount } from './approvals.rules.ts';
import { eligibleApprovers } from './approvers.query.ts';
import { createCodeOwnerLines, namedOwners } from './code-owner-rules.query.ts';

/** A rule as it counts for one merge request. */
export interface ApprovalRuleState extends JudgedRule {
  /** Null where no record stands behind it. */
  id: number | null;
  name: string;
  ruleType: 'regular' | 'any_approver' | 'code_owner';
  required: number;
  /** Users who can fulfil it; everybody who may approve where it names nobody. */
  eligibleIds: readonly number[];
  userIds: readonly number[];
  groupIds: readonly number[];
  section: string | null;
}

export interface ApprovalState {
  /** Whether rules of its own stand for those of its project. */
  overwritten: boolean;
  rules: readonly ApprovalRuleState[];
  /** Users whose approvals count. */
  approvedByIds: readonly number[];
  required: number;
  left: number;
  /** Whether this user's approval would count. */
  mayApprove(userId: number): boolean;
}

type Row = Pick<
  MergeRequest,
  | 'id'
  | 'place'
  | 'projectId'
  | 'authorId'
  | 'sha'
  | 'startSha'
  | 'state'
  | 'target'
  | 'targetBranch'
  | 'approvalsBeforeMerge'
  | 'approvedByIds'
  | 'approvedShas'
>;

interface Project {
  settings: MergeSettings;
  defaultBranch: string | null;
  rules: readonly ApprovalRuleRow[];
  branches: readonly ApprovalBranch[];
}

interface Judging {
  /** Whether a protected branch asks for code owners. */
  isAsked: boolean;
  /** Whether the approval of a user would count. */
  counts(userId: number): boolean;
  approvals: readonly number[];
}

/** Stands for the owners of changes that git could not tell of. */
const UNKNOWN_OWNERS: ApprovalRuleState = {
  ...{ id: null, name: 'CODEOWNERS', ruleType: 'code_owner', section: 'codeowners', required: 1 },
  ...{ eligibleIds: [], userIds: [], groupIds: [], approvedByIds: [], left: 1, approved: false },
};

export const ALL_MEMBERS = 'All Members';

/** As many protected branches as a project can have, and more. */
const MOST_BRANCHES = 10_000;
const MOST_COMMITS = 1_000;
const REMEMBERED = 10_000;

/** What the approvals of merge requests lack. */
function createApprovalStates({
  readStore,
  directory,
  operations,
  configuration,
}: Pick<ServicePorts, 'readStore' | 'directory' | 'operations' | 'configuration'>) {
  const committers = createLru<string, readonly string[]>(REMEMBERED);
  const codeOwnerLines = createCodeOwnerLines({ readStore, operations });

  async function projectOf(projectId: number): Promise<Project> {
    const where = eq('projectId', projectId);
    const ofProject = and(where, eq('mergeRequestId', 0));
    const [settings, rules, branches, project] = await Promise.all([
      mergeSettingsOf(readStore, projectId),
      readStore.find(approvalRules, { where: ofProject, sort: [asc('id')], limit: MAX_APPROVAL_RULES }),
      readStore.find(approvalBranches, { where, limit: MOST_BRANCHES }),
      directory.project(projectId),
    ]);
    const defaultBranch = project?.defaultBranch ?? null;
    return { settings, rules: rules as ApprovalRuleRow[], branches, defaultBranch };
  }

  /** Addresses of those who committed: of the newest commits, where they are many. */
  async function committersOf(row: Row, principal: Principal | null): Promise<readonly string[]> {
    const { projectId, startSha, sha: headSha } = row;
    const key = `${projectId} ${startSha} ${headSha}`;
    const known = committers.get(key);
    if (known) return known;
    const emails = new Set<string>();
    for (let offset = 0; offset < MOST_COMMITS; offset += MERGE_BOUNDS.commits) {
      const asked = { projectId, startSha, headSha, offset, limit: MERGE_BOUNDS.commits };
      const answer = await operations.call(listMergeCommits, asked, { principal });
      if ('refused' in answer) break;
      for (const { committer } of answer.commits) emails.add(committer.email.toLowerCase());
      if (!answer.hasMore) break;
    }
    const found = [...emails];
    committers.set(key, found);
    return found;
  }

  async function committerIdsOf(row: Row, settings: MergeSettings, principal: Principal | null) {
    if (!settings.committersAbstain || row.state === 'merged') return new Set<number>();
    const emails = await committersOf(row, principal);
    const users = await Promise.all(emails.map((email) => directory.userByEmail(email)));
    return new Set(users.flatMap((user) => user?.id ?? []));
  }

  function rulesFor({ targetBranch }: Row, { rules, branches, defaultBranch }: Project): ApprovalRuleRow[] {
    const existing = new Set(branches.map(({ id }) => id));
    const covers = branches.filter(({ name }) => refPattern(name)(targetBranch));
    const covering = new Set(covers.map(({ id }) => id));
    const isDefault = targetBranch === defaultBranch;
    return rules.filter((rule) => isForBranch(rule, { covering, existing, isDefault }));
  }

  /** Rules of code owners only suggest where no protected branch asks for them. */
  async function codeOwnerRule(
    { projectId }: Row,
    line: OwnedLine,
    { isAsked, counts, approvals }: Judging,
  ): Promise<ApprovalRuleState> {
    const { section, pattern: name } = line;
    const required = isAsked && !line.isOptional ? line.approvals : 0;
    const named = await namedOwners(directory, line.owners);
    const eligible = await eligibleApprovers(directory, projectId, named, approvals);
    const eligibleIds = eligible.filter(counts);
    const shown = { id: null, name, ruleType: 'code_owner', required, eligibleIds, ...named } as const;
    return {
      ...shown,
      section: section ?? 'codeowners',
      ...judge({ required, approverIds: eligibleIds }, approvals),
    };
  }

  /** @param lines null where they are not known: then nothing is merged that owners are asked for */
  async function codeOwnerRules(row: Row, lines: readonly OwnedLine[] | null, judging: Judging) {
    if (lines) {
      const rules = await Promise.all(lines.map((line) => codeOwnerRule(row, line, judging)));
      return rules.sort((a, b) => (a.name < b.name ? -1 : 1));
    }
    return judging.isAsked ? [UNKNOWN_OWNERS] : [];
  }

  async function stateOf(
    row: Row,
    project: Project,
    { own, lines }: { own: readonly ApprovalRuleRow[]; lines: readonly OwnedLine[] | null },
    principal: Principal | null,
  ): Promise<ApprovalState> {
    const { settings } = project;
    const committerIds = await committerIdsOf(row, settings, principal);
    const conditions = { ...settings, resetsOnPush: settings.resetsApprovals, committerIds };
    const approvals = countedApprovals(row, conditions);
    const overwritten = own.length > 0 && !settings.fixesApprovalRules;
    const asked = overwritten ? own : rulesFor(row, project);
    const rules: ApprovalRuleState[] = [];
    for (const rule of asked) {
      const { id, name, ruleType, approvalsRequired: required, userIds, groupIds } = rule;
      if (ruleType === 'any_approver') continue;
      const named = await eligibleApprovers(directory, row.projectId, { userIds, groupIds }, approvals);
      const eligibleIds = named.filter((userId) => mayCount(userId, row, conditions));
      const judged = judge({ required, approverIds: eligibleIds }, approvals);
      rules.push({ id, name, ruleType, required, eligibleIds, userIds, groupIds, section: null, ...judged });
    }
    const anybody = anybodyRule(
      row,
      settings,
      asked.find(({ ruleType }) => ruleType === 'any_approver'),
    );
    const isAsked = project.branches.some(
      ({ name, asksCodeOwners }) => asksCodeOwners && refPattern(name)(row.targetBranch),
    );
    const counts = (userId: number) => mayCount(userId, row, conditions);
    rules.push(...(await codeOwnerRules(row, lines, { isAsked, counts, approvals })));
    if (anybody) rules.unshift({ ...anybody, ...judge({ ...anybody, approverIds: null }, approvals) });
    return {
      overwritten,
      rules,
      approvedByIds: approvals,
      required: rules.reduce((sum, rule) => sum + rule.required, 0),
      left: rules.reduce((sum, rule) => sum + rule.left, 0),
      mayApprove: counts,
    };
  }

  /** By the key of the row. Rows are those of one page. */
  return async (
    rows: readonly Row[],
    principal: Principal | null,
  ): Promise<ReadonlyMap<number, ApprovalState>> => {
    if (configuration.EDITION === 'free') return new Map(rows.map((row) => [row.place, withoutRules(row)]));
    const ids = [...new Set(rows.map(({ projectId }) => projectId))];
    const projects = new Map(await Promise.all(ids.map(async (id) => [id, await projectOf(id)] as const)));
    const where = oneOf(
      'mergeRequestId',
      rows.map(({ id }) => id),
    );
    const limit = rows.length * MAX_APPROVAL_RULES;
    const own = limit === 0 ? [] : await readStore.find(approvalRules, { where, sort: [asc('id')], limit });
    const byRequest = Map.groupBy(own as ApprovalRuleRow[], ({ mergeRequestId }) => mergeRequestId);
    const lines = await codeOwnerLines(
      rows.filter(({ state }) => state === 'opened'),
      principal,
    );
    const states = rows.map(async (row) => {
      const rules = { own: byRequest.get(row.id) ?? [], lines: lines.get(row.place) ?? null };
      if (row.state !== 'opened') rules.lines = [];
      return [row.place, await stateOf(row, projects.get(row.projectId)!, rules, principal)] as const;
    });
    return new Map(await Promise.all(states));
  };
}

export type ApprovalStatesOf = ReturnType<typeof createApprovalStates>;

const byPorts = new WeakMap<object, ApprovalStatesOf>();

/** One for all slices of a service, so that they remember the same. */
export function approvalStatesFor(ports: ServicePorts): ApprovalStatesOf {
  const known = byPorts.get(ports) ?? createApprovalStates(ports);
  byPorts.set(ports, known);
  return known;
}

/** The free edition has no rules, and authors do not approve. */
const withoutRules = ({ approvedByIds, authorId }: Row): ApprovalState => ({
  ...{ overwritten: false, rules: [], approvedByIds, required: 0, left: 0 },
  mayApprove: (userId) => userId !== authorId,
});

/** A number of its own counts where it is above the project's, which must not be 0 [L260]. */
function anybodyRule(
  { approvalsBeforeMerge }: Row,
  { approvals }: MergeSettings,
  rule: ApprovalRuleRow | undefined,
): Omit<ApprovalRuleState, keyof JudgedRule> | undefined {
  const ofNumbers = approvals === 0 ? 0 : Math.max(approvals, approvalsBeforeMerge ?? 0);
  const required = Math.max(ofNumbers, rule?.approvalsRequired ?? 0);
  if (required === 0 && !rule) return undefined;
  return {
    ...{ id: rule?.id ?? null, name: rule?.name ?? ALL_MEMBERS, ruleType: 'any_approver', required },
    ...{ eligibleIds: [], userIds: [], groupIds: [], section: null },
  };
}
