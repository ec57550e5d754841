import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import type { Directory } from '@forgelog/directory/directory.ts';
import type { ProjectSummary } from '@forgelog/service-kit/access.ts';
import { levelAdmission } from './admission.rules.ts';
import { BRANCH_REFUSALS } from './branch-refusals.ts';
import type { RefRule, RefRuleSource } from './ref-protection.rules.ts';

const DEVELOPERS = [levelAdmission(AccessLevel.developer)];
const MAINTAINERS = [levelAdmission(AccessLevel.maintainer)];

const PARTIAL: RefRule['admits'] = {
  create: DEVELOPERS,
  update: DEVELOPERS,
  merge: DEVELOPERS,
  force: MAINTAINERS,
  delete: [],
};

/** What each `default_branch_protection` of a group admits [companions 2.4]. */
const PROTECTIONS: Readonly<Record<number, RefRule['admits']>> = {
  0: { ...PARTIAL, force: DEVELOPERS },
  1: PARTIAL,
  2: { ...PARTIAL, update: MAINTAINERS, merge: MAINTAINERS },
  3: { ...PARTIAL, update: MAINTAINERS },
};

/**
 * Protects the default branch where no other rule does, as the project's group wants it. Where that says nothing, and in
 * personal namespaces, only Maintainers force-push it. Nobody deletes it.
 */
export function defaultBranchRules(
  directory: Pick<Directory, 'project' | 'namespace' | 'changes'>,
): RefRuleSource {
  return {
    get changes() {
      return directory.changes;
    },
    async rulesOf(projectId) {
      const project = await directory.project(projectId);
      if (!project || project.defaultBranch === null) return [];
      const { defaultBranchProtection } = (await directory.namespace(project.namespaceId)) ?? {};
      const full = `refs/heads/${project.defaultBranch}`;
      return [
        {
          covers: (ref) => ref === full,
          admits: PROTECTIONS[defaultBranchProtection ?? 1] ?? PARTIAL,
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
