import { compare, parse, type SemVer } from 'semver';

/** null where the text is no semantic version (semver.org 2.0.0); a leading `v` and spaces around it make it none. */
export function parseVersion(text: string): SemVer | null {
  return /^\d\S*$/.test(text) ? parse(text) : null;
}

/**
 * The tag of the last stable version below `version`: tags are `vX.Y.Z` or `X.Y.Z`, what has a pre-release part
 * is passed over [L219]. undefined where there is none.
 */
export function previousTag(tagNames: Iterable<string>, version: SemVer): string | undefined {
  let best: { name: string; version: SemVer } | undefined;
  for (const name of tagNames) {
    const parsed = name.includes('+') ? null : parseVersion(name.replace(/^v/, ''));
    if (!parsed || parsed.prerelease.length > 0) continue;
    if (compare(parsed, version) >= 0) continue;
    if (!best || compare(parsed, best.version) > 0) best = { name, version: parsed };
  }
  return best?.name;
}
