import parse from 'semver/functions/parse.js';

/** Accepts `v1`, `1.2` and `2021.08.01-rc1` as versions too. */
const SHAPE = /^v?(\d{1,15})(?:\.(\d{1,15}))?(?:\.(\d{1,15}))?(?![.\d])(.*)$/s;

/** Sorts tags by semantic version, lowest first; the sort is stable. Other names come first. */
export function tagsByVersion<T extends { name: string }>(tags: readonly T[]): T[] {
  const keyed = tags.map((tag) => ({ tag, key: versionKey(tag.name) }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key))).map(({ tag }) => tag);
}

/** A sort key that orders names as their versions (semver.org, 11); empty if a name is no version. */
export function versionKey(name: string): string {
  const [, major, minor = '0', patch = '0', rest] = SHAPE.exec(name) ?? [];
  if (major === undefined) return '';
  const version = parse(`${[major, minor, patch].map(Number).join('.')}${rest}`);
  if (version === null) return '';
  const core = [version.major, version.minor, version.patch].map((number) => numberKey(String(number)));
  // A space sorts below all identifier characters, so a shorter list sorts first; a tilde sorts above.
  const labels = version.prerelease.map((label) => labelKey(String(label)));
  return [...core, ...(labels.length === 0 ? ['~'] : labels)].join(' ');
}

/** Prefixes the length: numbers have no leading zeros, so a longer one is larger. */
const numberKey = (digits: string) => `${String(digits.length).padStart(3, '0')}${digits}`;

/** Sorts numbers before words. */
const labelKey = (label: string) => (/^\d+$/.test(label) ? `0${numberKey(label)}` : `1${label}`);
