import { isUncounted } from './uncounted-files.ts';

/** What is known of a language: linguist's own data. */
export interface LanguageFacts {
  name: string;
  type: string;
  /** The usual one first. */
  extensions?: readonly string[];
  filenames?: readonly string[];
  /** The language that it counts as. */
  group?: string;
}

interface SizedFile {
  path: string;
  size: number;
}

/** Where nothing else tells. Their extensions are those of rarer languages too. */
const USUAL =
  'C C++ C# F# Go HTML Java JavaScript Markdown Objective-C PHP Perl Python R Ruby Rust SQL TypeScript Verilog'.split(
    ' ',
  );
/** Data and prose are no languages that a project is written in. */
const COUNTED = ['programming', 'markup'];

/** Adds up the bytes of each language. Contents are not read: names tell nearly all. */
export function createLanguageCounter(languages: readonly LanguageFacts[]) {
  const byName = new Map<string, LanguageFacts[]>();
  const byExtension = new Map<string, LanguageFacts[]>();
  const add = (to: Map<string, LanguageFacts[]>, key: string, language: LanguageFacts) =>
    to.set(key.toLowerCase(), [...(to.get(key.toLowerCase()) ?? []), language]);
  for (const language of languages) {
    for (const name of language.filenames ?? []) add(byName, name, language);
    for (const extension of language.extensions ?? []) add(byExtension, extension, language);
  }

  function candidates(path: string): readonly LanguageFacts[] {
    const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
    const named = byName.get(name);
    if (named) return named;
    // The longest extension counts: `.blade.php` before `.php`.
    for (let at = name.indexOf('.'); at >= 0; at = name.indexOf('.', at + 1)) {
      const found = byExtension.get(name.slice(at));
      if (found) return found;
    }
    return [];
  }

  return (files: Iterable<SizedFile>): Map<string, number> => {
    const bytes = new Map<LanguageFacts, number>();
    const unsure = new Map<readonly LanguageFacts[], { size: number; extension: string }>();
    const count = (language: LanguageFacts, size: number) =>
      bytes.set(language, (bytes.get(language) ?? 0) + size);
    for (const { path, size } of files) {
      if (size === 0 || isUncounted(path)) continue;
      const found = candidates(path);
      if (found.length === 1) count(found[0]!, size);
      else if (found.length > 1) {
        const extension = path.slice(path.lastIndexOf('.')).toLowerCase();
        unsure.set(found, { size: (unsure.get(found)?.size ?? 0) + size, extension });
      }
    }
    // `.h` is C++ among files of C++. Sums are taken before any of them is added: the order makes no difference.
    const known = new Map(bytes);
    for (const [found, { size, extension }] of unsure) count(likeliest(found, known, extension), size);
    const totals = new Map<string, number>();
    for (const [{ type, group, name }, size] of bytes)
      if (COUNTED.includes(type)) totals.set(group ?? name, (totals.get(group ?? name) ?? 0) + size);
    return totals;
  };
}

/** The language with the most other files; without any, the one that has it as its first extension, or a usual one. */
function likeliest(
  found: readonly LanguageFacts[],
  known: ReadonlyMap<LanguageFacts, number>,
  extension: string,
): LanguageFacts {
  const weight = (language: LanguageFacts) =>
    (known.get(language) ?? 0) ||
    (language.extensions?.[0] === extension ? 0.5 : 0) + (USUAL.includes(language.name) ? 0.25 : 0);
  return found.toSorted((one, other) => weight(other) - weight(one) || (one.name < other.name ? -1 : 1))[0]!;
}

/** Percent with two digits, the largest first. */
export function sharesOf(bytes: ReadonlyMap<string, number>): Record<string, number> {
  const total = [...bytes.values()].reduce((sum, size) => sum + size, 0);
  const shares = [...bytes].map(([name, size]) => [name, Math.round((size / total) * 10_000) / 100] as const);
  return Object.fromEntries(
    shares
      .filter(([, share]) => share > 0)
      .toSorted(([a, one], [b, other]) => other - one || (a < b ? -1 : 1)),
  );
}
