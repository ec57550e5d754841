import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import type { RefAdmission } from '@forgelog/contracts/repo/protected-branches/protected-branch.events.ts';
import type { Directory } from '@forgelog/directory/directory.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import { type AdmittedCaller, admittedCaller, isAdmitted, withoutGroups } from './admission.rules.ts';
import type { ForkCollaborationsOf } from './fork-collaborations.ts';
import type { ProjectProtection, RefMoveKind, RefProtections } from './ref-protection.rules.ts';

/** What a caller may do with the refs of a project, by full name: the one set of rules that all moves of refs ask. */
export interface RefAccess {
  /** The same object as long as no rule changed; another one each time for who collaborates in a fork. */
  rules: ProjectProtection;
  /** What the caller moves where no rule covers it: all refs, source branches of merge requests that let them, or none. */
  extent: 'all' | 'some' | 'none';
  mayMove(ref: string, kind: RefMoveKind): boolean;
  /** Undefined for a ref that no rule covers. */
  protectionOf(ref: string): RefProtection | undefined;
}

/** All rules that decide on a ref, as one. */
export interface RefProtection {
  admissions(kind: RefMoveKind): readonly RefAdmission[];
  refusal(kind: RefMoveKind): string;
}

export type RefAccessOf = (grant: ProjectGrant) => RefAccess | Promise<RefAccess>;

export function createRefAccess(
  protections: RefProtections,
  directory: Pick<Directory, 'groupLevel'>,
  collaborationsOf: ForkCollaborationsOf,
): RefAccessOf {
  function accessBy(grant: ProjectGrant, protection: ProjectProtection): RefAccess | Promise<RefAccess> {
    const caller = admittedCaller(grant, protection.groupIds, directory);
    return caller instanceof Promise
      ? caller.then((known) => refAccess(grant, protection, known))
      : refAccess(grant, protection, caller);
  }
  function accessOf(grant: ProjectGrant): RefAccess | Promise<RefAccess> {
    const protection = protections.of(grant.project.id);
    return protection instanceof Promise
      ? protection.then((loaded) => accessBy(grant, loaded))
      : accessBy(grant, protection);
  }

  /** Adds the source branches of merge requests that the caller may merge, and that let them push. */
  async function collaboratorAccess(grant: ProjectGrant): Promise<RefAccess> {
    const branches = new Set<string>();
    for (const { sourceBranch, target, targetBranch } of await collaborationsOf(grant))
      if ((await accessOf(target)).mayMove(`refs/heads/${targetBranch}`, 'merge'))
        branches.add(`refs/heads/${sourceBranch}`);
    if (branches.size === 0) return accessOf(grant);
    const rules = { ...(await protections.of(grant.project.id)) };
    const caller = await admittedCaller(grant, rules.groupIds, directory);
    return refAccess(grant, rules, caller, branches);
  }

  return (grant) =>
    grant.level < AccessLevel.developer && grant.userId !== null
      ? collaboratorAccess(grant)
      : accessOf(grant);
}

const NO_BRANCHES: ReadonlySet<string> = new Set();

/**
 * Developers move branches and tags unless a rule protects them. Where several rules of a source cover a ref, what one
 * of them admits is admitted. Nobody moves anything in a project that is read-only. Who is less than a Developer pushes to
 * `collaborates` alone, branches by full name, and neither creates nor deletes them.
 */
export function refAccess(
  grant: ProjectGrant,
  rules: ProjectProtection,
  caller: AdmittedCaller = withoutGroups(grant),
  collaborates = NO_BRANCHES,
): RefAccess {
  const { project, level } = grant;
  function protectionOf(ref: string): RefProtection | undefined {
    for (const source of rules.sources) {
      const covering = source.filter((rule) => rule.covers(ref));
      const [first] = covering;
      if (first)
        return {
          admissions: (kind) => covering.flatMap(({ admits }) => admits[kind]),
          refusal: (kind) => first.refusals[kind],
        };
    }
    return undefined;
  }
  const mayPush = (ref: string, kind: RefMoveKind) =>
    level >= AccessLevel.developer || ((kind === 'update' || kind === 'force') && collaborates.has(ref));
  return {
    rules,
    extent: level >= AccessLevel.developer ? 'all' : collaborates.size > 0 ? 'some' : 'none',
    protectionOf,
    mayMove(ref, kind) {
      if (project.readOnly !== null || !mayPush(ref, kind)) return false;
      const protection = protectionOf(ref);
      if (!protection) return true;
      if (isAdmitted(caller, protection.admissions(kind))) return true;
      // Whoever may push may also merge.
      return kind === 'merge' && isAdmitted(caller, protection.admissions('update'));
    },
  };
}
