export type Part<T> = {
  [Name in keyof T]?: T[Name] extends readonly unknown[]
    ? T[Name]
    : T[Name] extends object
      ? Partial<T[Name]>
      : T[Name];
};

export interface Change<T> {
  changes: Part<T>;
  previous: Part<T>;
}

/**
 * The new and old values of fields that differ; null if none does. Undefined keeps a field. Objects (settings, a profile)
 * are compared field by field, one level deep. `present` includes defaults.
 */
export function changesFrom<T extends object>(
  present: T,
  wanted: { [Name in keyof Part<NoInfer<T>>]?: Part<NoInfer<T>>[Name] | undefined },
): Change<T> | null {
  return differences(present as Fields, wanted as Fields, true) as Change<T> | null;
}

type Fields = Record<string, unknown>;

function differences(present: Fields, wanted: Fields, isTop: boolean): Change<Fields> | null {
  const changes: Fields = {};
  const previous: Fields = {};
  for (const [name, after] of Object.entries(wanted)) {
    const before = present[name];
    if (after === undefined || after === before) continue;
    if (isTop && isGroup(before) && isGroup(after)) {
      const inner = differences(before, after, false);
      if (inner) [changes[name], previous[name]] = [inner.changes, inner.previous];
    } else if (JSON.stringify(after) !== JSON.stringify(before))
      [changes[name], previous[name]] = [after, before];
  }
  return Object.keys(changes).length === 0 ? null : { changes, previous };
}

const isGroup = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Adds a secret under the name that people know. A given one always counts as a change, without an old value. */
export function withSecret<T extends object, const Name extends string, Secret extends object>(
  change: Change<T> | null,
  name: Name,
  secret: Secret | undefined,
): (Change<T> & { changes: Part<T> & Partial<Secret>; withheldChanges: Name[] }) | null {
  if (change === null && secret === undefined) return null;
  const { changes, previous } = change ?? { changes: {}, previous: {} };
  return {
    changes: { ...changes, ...secret } as Part<T> & Partial<Secret>,
    previous,
    withheldChanges: secret === undefined ? [] : [name],
  };
}
