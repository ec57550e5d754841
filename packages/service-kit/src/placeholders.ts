import type { PlaceholderResolver } from './json-template.ts';
import type { PlaceholderKind } from './service.ts';

/** @throws Error for two kinds of one letter */
export function createPlaceholderResolver(kinds: readonly PlaceholderKind[]): PlaceholderResolver {
  const byLetter = new Map<string, PlaceholderKind>();
  for (const kind of kinds) {
    if (kind.kind.length !== 1) throw new Error(`placeholder kind ${kind.kind} must be one letter`);
    if (byLetter.has(kind.kind)) throw new Error(`placeholder kind ${kind.kind} is declared twice`);
    byLetter.set(kind.kind, kind);
  }
  const kindOf = (placeholder: string) => {
    const kind = byLetter.get(placeholder[0]!);
    if (!kind) throw new Error(`no service resolves placeholders of kind ${placeholder[0]}`);
    return kind;
  };
  return {
    resolve: (placeholder) => kindOf(placeholder).resolve(placeholder.slice(1)),
    async load(placeholders) {
      const wanted = new Map<PlaceholderKind, Set<string>>();
      for (const placeholder of placeholders) {
        const kind = kindOf(placeholder);
        const ids = wanted.get(kind) ?? new Set();
        wanted.set(kind, ids.add(placeholder.slice(1)));
      }
      const loaded = new Map<string, string>();
      const load = async ([kind, ids]: [PlaceholderKind, Set<string>]) => {
        for (const [id, text] of await kind.load([...ids])) loaded.set(kind.kind + id, text);
      };
      await Promise.all([...wanted].map(load));
      return loaded;
    },
  };
}
