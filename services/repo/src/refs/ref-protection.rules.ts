import type { RefAdmission } from '@forgelog/contracts/repo/protected-branches/protected-branch.events.ts';
import { DerivedCache } from '@forgelog/directory/derived-cache.ts';
import type { Directory } from '@forgelog/directory/directory.ts';

/** `force` drops commits of a branch or moves a tag. `merge` is an update by a merge request. */
export type RefMoveKind = 'create' | 'update' | 'force' | 'delete' | 'merge';

/** A protection rule: who may make each kind of move. Nobody may where nobody is admitted. */
export interface RefRule {
  /** @param ref a full name */
  covers(ref: string): boolean;
  admits: Readonly<Record<RefMoveKind, readonly RefAdmission[]>>;
  /** The text for a pusher who is not admitted. */
  refusals: Readonly<Record<RefMoveKind, string>>;
}

/** The rules of a project, a list for each source. The first source that covers a ref decides. */
export interface ProjectProtection {
  sources: readonly (readonly RefRule[])[];
  /** Groups that a rule admits. */
  groupIds: readonly number[];
}

/**
 * A source of rules, fed by a projection. Rules are cached per project while `changes` stays the same. The projection
 * increments it in `applied`, so rules are never older than the read models.
 */
export interface RefRuleSource {
  readonly changes: number;
  rulesOf(projectId: number): Promise<readonly RefRule[]>;
}

export interface RefProtections {
  /** Synchronous on a cache hit. */
  of(projectId: number): ProjectProtection | Promise<ProjectProtection>;
}

export const UNPROTECTED: ProjectProtection = { sources: [], groupIds: [] };

const PROJECTS = 10_000;

/** Combines all sources. */
export function refProtections(
  sources: readonly RefRuleSource[],
  { today }: Pick<Directory, 'today'>,
): RefProtections {
  const kept = new DerivedCache<number, ProjectProtection>(
    {
      get changes() {
        return sources.reduce((sum, source) => sum + source.changes, 0);
      },
      today,
    },
    PROJECTS,
  );
  async function load(projectId: number): Promise<ProjectProtection> {
    const rules = await Promise.all(sources.map((source) => source.rulesOf(projectId)));
    const admissions = rules.flat().flatMap(({ admits }) => Object.values(admits).flat());
    const groupIds = admissions.map(({ groupId }) => groupId).filter((id) => id !== null);
    return { sources: rules, groupIds: [...new Set(groupIds)] };
  }
  return {
    of(projectId) {
      const known = kept.read(projectId, () => load(projectId));
      return known instanceof Promise ? known.then((rules) => rules ?? UNPROTECTED) : known;
    },
  };
}
