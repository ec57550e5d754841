import type { SemVer } from 'semver';
import compare from 'semver/functions/compare.js';
import parse from 'semver/functions/parse.js';

/** Parses semver.org 2.0.0 strictly: null with a leading `v` or spaces. */
export function parseVersion(text: string): SemVer | null {
  return /^\d\S*$/.test(text) ? parse(text) : null;
}

/**
 * Finds the tag of the last stable version below `version`. Tags are `vX.Y.Z` or `X.Y.Z`; pre-releases are skipped
 * [L219].
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
