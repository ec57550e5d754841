import { parse } from 'semver';

/** `v1`, `1.2` and `2021.08.01-rc1` count as the versions that they are meant to be. */
const SHAPE = /^v?(\d{1,15})(?:\.(\d{1,15}))?(?:\.(\d{1,15}))?(?![.\d])(.*)$/s;

/** Tags by semantic version, the lowest first, those of one version as they came; what names none comes before all. */
export function tagsByVersion<T extends { name: string }>(tags: readonly T[]): T[] {
  const keyed = tags.map((tag) => ({ tag, key: versionKey(tag.name) }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key))).map(({ tag }) => tag);
}

/** A text that orders names as their versions are ordered (semver.org, 11); empty where a name is no version. */
export function versionKey(name: string): string {
  const [, major, minor = '0', patch = '0', rest] = SHAPE.exec(name) ?? [];
  if (major === undefined) return '';
  const version = parse(`${[major, minor, patch].map(Number).join('.')}${rest}`);
  if (version === null) return '';
  const core = [version.major, version.minor, version.patch].map((number) => numberKey(String(number)));
  // A space is lower than what identifiers are made of, so that fewer of them come first; a tilde is higher.
  const labels = version.prerelease.map((label) => labelKey(String(label)));
  return [...core, ...(labels.length === 0 ? ['~'] : labels)].join(' ');
}

/** Longer numbers are larger: none begins with a zero. */
const numberKey = (digits: string) => `${String(digits.length).padStart(3, '0')}${digits}`;

/** Numbers come before words. */
const labelKey = (label: string) => (/^\d+$/.test(label) ? `0${numberKey(label)}` : `1${label}`);
