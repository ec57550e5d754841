import type { Projection } from '@forgelog/eventing/projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import { BRANCH_REFUSALS } from '../refs/branch-refusals.ts';
import { MAX_PROTECTED_NAMES } from '../refs/protected-name.rules.ts';
import { refPattern } from '../refs/ref-pattern.ts';
import type { RefRule, RefRuleSource } from '../refs/ref-protection.rules.ts';
import {
  type ProtectedBranchRow,
  protectedBranches,
  protectedBranchesProjection,
} from './protected-branches.projection.ts';

const PREFIX = 'refs/heads/';

/** The protected branches of projects as rules, and the projection that tells when they change. */
export function protectedBranchRules(
  readStore: Pick<ReadStore, 'find'>,
): RefRuleSource & { projection: Projection } {
  let changes = 0;
  return {
    projection: {
      ...protectedBranchesProjection,
      applied() {
        changes += 1;
      },
    },
    get changes() {
      return changes;
    },
    async rulesOf(projectId) {
      const where = eq('projectId', projectId);
      const rows = await readStore.find(protectedBranches, { where, limit: MAX_PROTECTED_NAMES });
      return (rows as ProtectedBranchRow[]).map(branchRule);
    },
  };
}

type Rules = Pick<ProtectedBranchRow, 'name' | 'pushAccess' | 'mergeAccess' | 'allowForcePush'>;

export function branchRule({ name, pushAccess, mergeAccess, allowForcePush }: Rules): RefRule {
  const covers = refPattern(PREFIX + name);
  return {
    covers,
    admits: {
      create: pushAccess,
      update: pushAccess,
      force: allowForcePush ? pushAccess : [],
      merge: mergeAccess,
      delete: [],
    },
    refusals: BRANCH_REFUSALS,
  };
}
