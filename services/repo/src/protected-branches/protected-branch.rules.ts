import type { Projection } from '@forgelog/eventing/projection.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import { refPattern } from '@forgelog/service-kit/ref-pattern.ts';
import { BRANCH_REFUSALS } from '../refs/branch-refusals.ts';
import type { RefRule, RefRuleSource } from '../refs/ref-protection.rules.ts';
import { rowRules } from '../refs/row-rules.ts';
import {
  type ProtectedBranchRow,
  protectedBranches,
  protectedBranchesProjection,
} from './protected-branches.projection.ts';

const PREFIX = 'refs/heads/';

export const protectedBranchRules = (
  readStore: Pick<ReadStore, 'find'>,
): RefRuleSource & { projection: Projection } =>
  rowRules(readStore, protectedBranchesProjection, {
    rows: protectedBranches,
    ruleOf: (row) => branchRule(row as ProtectedBranchRow),
  });

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
