import { DerivedCache } from '@forgelog/directory/derived-cache.ts';
import type { Directory } from '@forgelog/directory/directory.ts';

/** What is to happen to a ref; `force` leaves commits behind. */
export type RefMoveKind = 'create' | 'update' | 'force' | 'delete';

/** A rule on refs beyond what holds for every one of them: the least access levels, null where nobody may. */
export interface RefRule {
  /** Whether it is about this ref, a full name. */
  covers(ref: string): boolean;
  levels: Readonly<Record<RefMoveKind | 'merge', number | null>>;
  /** What the author of a push reads who wants to delete such a ref. */
  deletionRefusal: string;
}

/** The rules of one project. */
export type RefProtection = readonly RefRule[];

/**
 * Where rules come from: a projection of the log. Its rules of a project are loaded once for as long as `changes` stays
 * the same; a projection counts it in `applied`, so that rules are as new as the read models are.
 */
export interface RefRuleSource {
  readonly changes: number;
  rulesOf(projectId: number): Promise<readonly RefRule[]>;
}

export interface RefProtections {
  /** At once where they are at hand. */
  of(projectId: number): RefProtection | Promise<RefProtection>;
}

/** How many projects' rules are kept. */
const PROJECTS = 10_000;

/** The rules of all sources; of several that cover a ref the first one counts. */
export function refProtections(
  sources: readonly RefRuleSource[],
  { today }: Pick<Directory, 'today'>,
): RefProtections {
  const kept = new DerivedCache<number, RefProtection>(
    {
      get changes() {
        return sources.reduce((sum, source) => sum + source.changes, 0);
      },
      today,
    },
    PROJECTS,
  );
  const load = async (projectId: number) =>
    (await Promise.all(sources.map((source) => source.rulesOf(projectId)))).flat();
  return {
    of(projectId) {
      const known = kept.read(projectId, () => load(projectId));
      return known instanceof Promise ? known.then((rules) => rules ?? []) : (known ?? []);
    },
  };
}
