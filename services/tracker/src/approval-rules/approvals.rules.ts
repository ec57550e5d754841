/** A rule as it is asked of one merge request. */
export interface AskedRule {
  required: number;
  /** Users who may fulfil it; null for everybody who may approve. */
  approverIds: readonly number[] | null;
}

export interface JudgedRule {
  /** Users whose approvals count for it, in the order in which they approved. */
  approvedByIds: readonly number[];
  left: number;
  approved: boolean;
}

/**
 * Whether the approvals fulfil a rule. One that asks for more users than it has is fulfilled when all of them have
 * approved: otherwise nobody could ever merge.
 */
export function judge({ required, approverIds }: AskedRule, approvals: readonly number[]): JudgedRule {
  const approvedByIds =
    approverIds === null ? approvals : approvals.filter((userId) => approverIds.includes(userId));
  const possible = approverIds === null ? required : Math.min(required, approverIds.length);
  const left = Math.max(0, possible - approvedByIds.length);
  return { approvedByIds, left, approved: left === 0 };
}

interface Approved {
  authorId: number;
  /** The newest commit. */
  sha: string;
  approvedByIds: readonly number[];
  /** The commit that each of them approved. */
  approvedShas: readonly string[];
}

/** What a project says of approvals. */
export interface ApprovalConditions {
  authorApproves: boolean;
  /** Whether a push takes approvals back. */
  resetsOnPush: boolean;
  /** Users who committed to the source branch, where they may not approve it. */
  committerIds: ReadonlySet<number>;
}

/** Whether a user is one whose approval counts. */
export const mayCount = (
  userId: number,
  { authorId }: Pick<Approved, 'authorId'>,
  { authorApproves, committerIds }: Pick<ApprovalConditions, 'authorApproves' | 'committerIds'>,
): boolean => (userId !== authorId || authorApproves) && !committerIds.has(userId);

/** Users whose approvals count. The newest commit is what they must have seen where a push resets approvals. */
export function countedApprovals(request: Approved, conditions: ApprovalConditions): number[] {
  const { approvedByIds, approvedShas, sha } = request;
  return approvedByIds.filter(
    (userId, at) =>
      mayCount(userId, request, conditions) && (!conditions.resetsOnPush || approvedShas[at] === sha),
  );
}

interface Branches {
  protectedBranchIds: readonly number[];
  appliesToAllProtectedBranches: boolean;
}

/**
 * Whether a rule is for a branch.
 * @param covering ids of the protected branches that cover the branch
 * @param existing ids of all protected branches: where those that a rule names are gone, it is for all branches
 */
export function isForBranch(
  { protectedBranchIds, appliesToAllProtectedBranches }: Branches,
  {
    covering,
    existing,
    isDefault,
  }: { covering: ReadonlySet<number>; existing: ReadonlySet<number>; isDefault: boolean },
): boolean {
  if (appliesToAllProtectedBranches) return covering.size > 0 || isDefault;
  const named = protectedBranchIds.filter((id) => existing.has(id));
  return named.length === 0 || named.some((id) => covering.has(id));
}
