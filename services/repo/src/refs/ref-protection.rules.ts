import { DerivedCache } from '@forgelog/directory/derived-cache.ts';
import type { Directory } from '@forgelog/directory/directory.ts';

/** `force` drops commits. */
export type RefMoveKind = 'create' | 'update' | 'force' | 'delete';

/** A protection rule: the lowest access level for each kind of move, null if nobody may. */
export interface RefRule {
  /** @param ref a full name */
  covers(ref: string): boolean;
  levels: Readonly<Record<RefMoveKind | 'merge', number | null>>;
  /** The text for a push that deletes such a ref. */
  deletionRefusal: string;
}

export type RefProtection = readonly RefRule[];

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
  of(projectId: number): RefProtection | Promise<RefProtection>;
}

const PROJECTS = 10_000;

/** Combines all sources. The first rule that covers a ref applies. */
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
