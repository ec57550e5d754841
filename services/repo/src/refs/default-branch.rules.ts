import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import type { Directory } from '@forgelog/directory/directory.ts';
import type { ProjectSummary } from '@forgelog/service-kit/access.ts';
import { levelAdmission } from './admission.rules.ts';
import { BRANCH_REFUSALS } from './branch-refusals.ts';
import type { RefRule, RefRuleSource } from './ref-protection.rules.ts';

const DEVELOPERS = [levelAdmission(AccessLevel.developer)];

const ADMITS: RefRule['admits'] = {
  create: DEVELOPERS,
  update: DEVELOPERS,
  merge: DEVELOPERS,
  force: [levelAdmission(AccessLevel.maintainer)],
  delete: [],
};

/** Protects the default branch where no other rule does: nobody deletes it, and only Maintainers force-push it. */
export function defaultBranchRules(directory: Pick<Directory, 'project' | 'changes'>): RefRuleSource {
  return {
    get changes() {
      return directory.changes;
    },
    async rulesOf(projectId) {
      const branch = (await directory.project(projectId))?.defaultBranch ?? null;
      if (branch === null) return [];
      const full = `refs/heads/${branch}`;
      return [
        {
          covers: (ref) => ref === full,
          admits: ADMITS,
          refusals: BRANCH_REFUSALS,
        },
      ];
    },
  };
}

/** A tag named like the default branch makes the name ambiguous in every clone. */
export function defaultBranchProblem({ defaultBranch }: ProjectSummary, ref: string): string | undefined {
  const isTaken = defaultBranch !== null && ref === `refs/tags/${defaultBranch}`;
  return isTaken ? 'You cannot use default branch name to create a tag' : undefined;
}
