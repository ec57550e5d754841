import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import type { RefAdmission } from '@forgelog/contracts/repo/protected-branches/protected-branch.events.ts';
import type { Directory } from '@forgelog/directory/directory.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import { type AdmittedCaller, admittedCaller, isAdmitted, withoutGroups } from './admission.rules.ts';
import type { ProjectProtection, RefMoveKind, RefProtections } from './ref-protection.rules.ts';

/** What a caller may do with the refs of a project, by full name: the one set of rules that all moves of refs ask. */
export interface RefAccess {
  /** The same object as long as no rule changed. */
  rules: ProjectProtection;
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
): RefAccessOf {
  function accessBy(grant: ProjectGrant, protection: ProjectProtection): RefAccess | Promise<RefAccess> {
    const caller = admittedCaller(grant, protection.groupIds, directory);
    return caller instanceof Promise
      ? caller.then((known) => refAccess(grant, protection, known))
      : refAccess(grant, protection, caller);
  }
  return (grant) => {
    const protection = protections.of(grant.project.id);
    return protection instanceof Promise
      ? protection.then((loaded) => accessBy(grant, loaded))
      : accessBy(grant, protection);
  };
}

/**
 * Developers move branches and tags unless a rule protects them. Where several rules of a source cover a ref, what one
 * of them admits is admitted. Nobody moves anything in an archived project.
 */
export function refAccess(
  grant: ProjectGrant,
  rules: ProjectProtection,
  caller: AdmittedCaller = withoutGroups(grant),
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
  return {
    rules,
    protectionOf,
    mayMove(ref, kind) {
      if (project.archived || level < AccessLevel.developer) return false;
      const protection = protectionOf(ref);
      if (!protection) return true;
      if (isAdmitted(caller, protection.admissions(kind))) return true;
      // Whoever may push may also merge.
      return kind === 'merge' && isAdmitted(caller, protection.admissions('update'));
    },
  };
}
