import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import type { RefMoveKind, RefProtection, RefProtections, RefRule } from './ref-protection.rules.ts';

/** What a caller may do with the refs of a project, by full name. */
export interface RefAccess {
  mayMove(ref: string, kind: RefMoveKind | 'merge'): boolean;
  /** The first protection rule that covers the ref. */
  protectionOf(ref: string): RefRule | undefined;
}

export type RefAccessOf = (grant: ProjectGrant) => RefAccess | Promise<RefAccess>;

export function createRefAccess(protections: RefProtections): RefAccessOf {
  return (grant) => {
    const protection = protections.of(grant.project.id);
    return protection instanceof Promise
      ? protection.then((loaded) => refAccess(grant, loaded))
      : refAccess(grant, protection);
  };
}

/** Developers move branches and tags unless a rule protects them. Nobody does in an archived project. */
export function refAccess({ project, level }: ProjectGrant, protection: RefProtection): RefAccess {
  const protectionOf = (ref: string) => protection.find((rule) => rule.covers(ref));
  return {
    protectionOf,
    mayMove(ref, kind) {
      if (project.archived || level < AccessLevel.developer) return false;
      const rule = protectionOf(ref);
      if (!rule) return true;
      const least = rule.levels[kind];
      return least !== null && level >= least;
    },
  };
}
