/** Semantic versions (semver.org 2.0.0), read without a pattern that could backtrack for long. */
export interface SemanticVersion {
  /** Major, minor, patch. */
  numbers: readonly [bigint, bigint, bigint];
  /** Dot-separated identifiers after the dash; empty for a stable version. */
  prerelease: readonly string[];
}

const CORE = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/;
const IDENTIFIER = /^[0-9A-Za-z-]+$/;
const PADDED_NUMBER = /^0\d+$/;

/** undefined where the text is no semantic version; a leading `v` makes it none. */
export function parseVersion(text: string): SemanticVersion | undefined {
  const plus = text.indexOf('+');
  const version = plus < 0 ? text : text.slice(0, plus);
  if (plus >= 0 && !areIdentifiers(text.slice(plus + 1).split('.'))) return undefined;
  const dash = version.indexOf('-');
  const core = CORE.exec(dash < 0 ? version : version.slice(0, dash));
  if (!core) return undefined;
  const prerelease = dash < 0 ? [] : version.slice(dash + 1).split('.');
  if (!areIdentifiers(prerelease) || prerelease.some((part) => PADDED_NUMBER.test(part))) return undefined;
  return { numbers: [BigInt(core[1]!), BigInt(core[2]!), BigInt(core[3]!)], prerelease };
}

function areIdentifiers(parts: readonly string[]): boolean {
  return parts.every((part) => IDENTIFIER.test(part));
}

/** Below zero where `a` comes before `b`; build metadata does not count. */
export function compareVersions(a: SemanticVersion, b: SemanticVersion): number {
  for (let at = 0; at < 3; at += 1) {
    const [left, right] = [a.numbers[at]!, b.numbers[at]!];
    if (left !== right) return left < right ? -1 : 1;
  }
  if (a.prerelease.length === 0 || b.prerelease.length === 0)
    return Math.sign(b.prerelease.length - a.prerelease.length);
  for (let at = 0; at < Math.min(a.prerelease.length, b.prerelease.length); at += 1) {
    const order = compareIdentifiers(a.prerelease[at]!, b.prerelease[at]!);
    if (order !== 0) return order;
  }
  return Math.sign(a.prerelease.length - b.prerelease.length);
}

/** Numbers by value and before words, words by their characters' codes. */
function compareIdentifiers(a: string, b: string): number {
  const [aIsNumber, bIsNumber] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (aIsNumber !== bIsNumber) return aIsNumber ? -1 : 1;
  const [left, right] = aIsNumber ? [BigInt(a), BigInt(b)] : [a, b];
  return left < right ? -1 : left > right ? 1 : 0;
}

/**
 * The tag of the last stable version below `version`: tags are `vX.Y.Z` or `X.Y.Z`, what has a pre-release part
 * is passed over [L219]. undefined where there is none.
 */
export function previousTag(tagNames: Iterable<string>, version: SemanticVersion): string | undefined {
  let best: { name: string; version: SemanticVersion } | undefined;
  for (const name of tagNames) {
    const parsed = name.includes('+') ? undefined : parseVersion(name.replace(/^v/, ''));
    if (!parsed || parsed.prerelease.length > 0) continue;
    if (compareVersions(parsed, version) >= 0) continue;
    if (!best || compareVersions(parsed, best.version) > 0) best = { name, version: parsed };
  }
  return best?.name;
}
