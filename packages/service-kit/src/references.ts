import type { ReferenceResolver } from './ready-json.ts';
import type { ReferenceKind } from './service.ts';

/** Joins the kinds of reference of all services into one resolver. Two kinds of one letter are refused. */
export function createReferenceResolver(kinds: readonly ReferenceKind[]): ReferenceResolver {
  const byLetter = new Map<string, ReferenceKind>();
  for (const kind of kinds) {
    if (kind.kind.length !== 1) throw new Error(`reference kind ${kind.kind} must be one letter`);
    if (byLetter.has(kind.kind)) throw new Error(`reference kind ${kind.kind} is declared twice`);
    byLetter.set(kind.kind, kind);
  }
  const kindOf = (reference: string) => {
    const kind = byLetter.get(reference[0]!);
    if (!kind) throw new Error(`nobody resolves references of kind ${reference[0]}`);
    return kind;
  };
  return {
    resolve: (reference) => kindOf(reference).resolve(reference.slice(1)),
    async load(references) {
      const wanted = new Map<ReferenceKind, Set<string>>();
      for (const reference of references) {
        const kind = kindOf(reference);
        const ids = wanted.get(kind) ?? new Set();
        wanted.set(kind, ids.add(reference.slice(1)));
      }
      await Promise.all([...wanted].map(([kind, ids]) => kind.load([...ids])));
    },
  };
}
