import {
  protectedBranchView,
  refAccessLevelView,
} from '@forgelog/contracts/repo/protected-branches/protected-branch.api.ts';
import type { RefAdmission } from '@forgelog/contracts/repo/protected-branches/protected-branch.events.ts';
import type { Directory } from '@forgelog/directory/directory.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { tier } from '@forgelog/service-kit/view-optional.ts';
import { nestedList } from '@forgelog/service-kit/view-parts.ts';
import { LEVEL_NAMES } from '../refs/level-names.ts';
import type { ProtectedBranchRow } from './protected-branches.projection.ts';

type ShownAdmission = RefAdmission & { description: string };

export interface ShownProtectedBranch extends ProtectedBranchRow {
  shown: Record<'push' | 'merge' | 'unprotect', readonly ShownAdmission[]>;
}

const admissionJson = implementView(refAccessLevelView).from<ShownAdmission>({
  access_level: 'accessLevel',
  access_level_description: 'description',
  user_id: tier('premium', 'userId'),
  group_id: tier('premium', 'groupId'),
});

export const protectedBranchJson = implementView(protectedBranchView).from<ShownProtectedBranch>({
  id: 'id',
  name: 'name',
  push_access_levels: nestedList(admissionJson, ({ shown }: ShownProtectedBranch) => shown.push),
  merge_access_levels: nestedList(admissionJson, ({ shown }: ShownProtectedBranch) => shown.merge),
  allow_force_push: 'allowForcePush',
  unprotect_access_levels: tier(
    'premium',
    nestedList(admissionJson, ({ shown }: ShownProtectedBranch) => shown.unprotect),
  ),
  code_owner_approval_required: tier('premium', 'codeOwnerApprovalRequired'),
});

/** Adds the names of whom the rules admit; users and groups that were deleted are left out. */
export async function shownProtectedBranch(
  row: ProtectedBranchRow,
  directory: Pick<Directory, 'user' | 'namespace'>,
): Promise<ShownProtectedBranch> {
  async function nameOf({ accessLevel, userId, groupId }: RefAdmission): Promise<string | undefined> {
    if (userId !== null) {
      const user = await directory.user(userId);
      return user && user.usernameLower !== null ? user.name : undefined;
    }
    if (groupId !== null) return (await directory.namespace(groupId))?.name;
    return LEVEL_NAMES[accessLevel ?? 0];
  }
  const named = async (admissions: readonly RefAdmission[]) => {
    const all = await Promise.all(
      admissions.map(async (one) => ({ ...one, description: await nameOf(one) })),
    );
    return all.filter((one): one is ShownAdmission => one.description !== undefined);
  };
  const [push, merge, unprotect] = await Promise.all(
    [row.pushAccess, row.mergeAccess, row.unprotectAccess].map(named),
  );
  return { ...row, shown: { push: push!, merge: merge!, unprotect: unprotect! } };
}
