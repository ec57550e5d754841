import type { PlaceholderResolver } from './json-template.ts';
import type { PlaceholderKind } from './service.ts';

/** Joins the kinds of reference of all services into one resolver. Two kinds of one letter are refused. */
export function createPlaceholderResolver(kinds: readonly PlaceholderKind[]): PlaceholderResolver {
  const byLetter = new Map<string, PlaceholderKind>();
  for (const kind of kinds) {
    if (kind.kind.length !== 1) throw new Error(`reference kind ${kind.kind} must be one letter`);
    if (byLetter.has(kind.kind)) throw new Error(`reference kind ${kind.kind} is declared twice`);
    byLetter.set(kind.kind, kind);
  }
  const kindOf = (reference: string) => {
    const kind = byLetter.get(reference[0]!);
    if (!kind) throw new Error(`nobody resolves placeholders of kind ${reference[0]}`);
    return kind;
  };
  return {
    resolve: (reference) => kindOf(reference).resolve(reference.slice(1)),
    async load(placeholders) {
      const wanted = new Map<PlaceholderKind, Set<string>>();
      for (const reference of placeholders) {
        const kind = kindOf(reference);
        const ids = wanted.get(kind) ?? new Set();
        wanted.set(kind, ids.add(reference.slice(1)));
      }
      await Promise.all([...wanted].map(([kind, ids]) => kind.load([...ids])));
    },
  };
}
