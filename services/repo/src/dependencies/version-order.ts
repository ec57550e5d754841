import type { Ecosystem } from './ecosystem.ts';

/* Which of two versions is the older one, as each ecosystem orders them. Versions that are in no order are the oldest. */

/** Negative where the first is the older one. */
export type VersionOrder = (one: string, other: string) => number;

/** Longer ones are no versions: so every comparison is short. */
export const MOST_CHARACTERS = 200;

/** Digits of any length. */
function byNumber(one: string, other: string): number {
  const [a, b] = [one.replace(/^0+/, ''), other.replace(/^0+/, '')];
  return a.length - b.length || (a < b ? -1 : Number(a > b));
}

const byText = (one: string, other: string) => (one < other ? -1 : Number(one > other));
const isNumber = (text: string) => /^\d+$/.test(text);

function firstDifference<T>(
  one: readonly T[],
  other: readonly T[],
  filler: T,
  by: (a: T, b: T) => number,
): number {
  for (let at = 0; at < Math.max(one.length, other.length); at += 1) {
    const difference = by(one[at] ?? filler, other[at] ?? filler);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** SemVer, with any count of numbers: NuGet has four. */
const semantic: VersionOrder = (one, other) => {
  const [a, b] = [partsOf(one), partsOf(other)];
  const byRelease = firstDifference(a.release, b.release, '0', byNumber);
  if (byRelease !== 0) return byRelease;
  if (a.before === null || b.before === null) return Number(a.before === null) - Number(b.before === null);
  // What is longer is newer, so a missing part is older than any.
  return firstDifference(a.before, b.before, '', (x, y) => {
    if (isNumber(x) && isNumber(y)) return byNumber(x, y);
    return x === '' || y === '' || isNumber(x) === isNumber(y) ? byText(x, y) : isNumber(x) ? -1 : 1;
  });
};

function partsOf(version: string) {
  const [written = ''] = version.replace(/^[vV=]+/, '').split('+');
  const dash = written.indexOf('-');
  const release = (dash < 0 ? written : written.slice(0, dash))
    .split('.')
    .map((part) => /^\d*/.exec(part)![0]);
  return { release, before: dash < 0 ? null : written.slice(dash + 1).split('.') };
}

/** PEP 440. */
const PYTHON =
  /^v?(?:(\d+)!)?(\d+(?:\.\d+)*)(?:[-_.]?(a|b|c|rc|alpha|beta|pre|preview)[-_.]?(\d*))?(?:-(\d+)|[-_.]?(?:post|rev|r)[-_.]?(\d*))?(?:[-_.]?(dev)[-_.]?(\d*))?(?:\+[a-z0-9._-]*)?$/;
const STAGES: Readonly<Record<string, string>> = {
  ...{ a: '1', alpha: '1', b: '2', beta: '2', c: '3', rc: '3', pre: '3', preview: '3' },
};
const NEVER = '9'.repeat(MOST_CHARACTERS + 1);

const python: VersionOrder = (one, other) => {
  const [a, b] = [one, other].map((version) => PYTHON.exec(version.trim().toLowerCase()));
  if (!a || !b) return Number(a != null) - Number(b != null);
  return (
    byNumber(a[1] ?? '0', b[1] ?? '0') ||
    firstDifference(a[2]!.split('.'), b[2]!.split('.'), '0', byNumber) ||
    firstDifference(pythonStage(a), pythonStage(b), '0', byNumber)
  );
};

/** Development of a release comes before its first stage, and everything of a stage before the next. */
function pythonStage([, , , stage, number, dashed, after, dev, devNumber]: RegExpExecArray): string[] {
  const post = dashed ?? after;
  const isBare = stage === undefined && post === undefined && dev !== undefined;
  const level = isBare ? '0' : stage === undefined ? '4' : STAGES[stage]!;
  // Zero is before: so a first one counts one.
  const afterwards = post === undefined ? '0' : `1${(post || '0').padStart(MOST_CHARACTERS, '0')}`;
  return [level, number || '0', afterwards, dev === undefined ? NEVER : devNumber || '0'];
}

/** Words are older than numbers, as `1.0.rc1` is before `1.0`. */
const ruby: VersionOrder = (one, other) => {
  const segmentsOf = (version: string): string[] =>
    version.replaceAll('-', '.pre.').match(/\d+|[a-z]+/gi) ?? [];
  return firstDifference(segmentsOf(one), segmentsOf(other), '0', (x, y) => {
    if (isNumber(x) !== isNumber(y)) return isNumber(x) ? 1 : -1;
    return isNumber(x) ? byNumber(x, y) : byText(x, y);
  });
};

/** Words that Maven and Composer know, by age; any other one is newer than the release. */
const WORDS: Readonly<Record<string, number>> = {
  ...{ dev: 0, a: 1, alpha: 1, b: 2, beta: 2, m: 3, milestone: 3, rc: 4, cr: 4, snapshot: 5 },
  ...{ '': 6, final: 6, ga: 6, release: 6, stable: 6, sp: 7, p: 7, pl: 7, patch: 7 },
};
const RELEASE = WORDS['']!;
const OTHER_WORD = 8;

/** Maven and Composer: numbers and words, wherever one turns into the other. */
const worded: VersionOrder = (one, other) => {
  const tokensOf = (version: string): string[] =>
    version
      .toLowerCase()
      .replace(/^v/, '')
      .split('+')[0]!
      .match(/\d+|[a-z]+/g) ?? [];
  return firstDifference<string | null>(tokensOf(one), tokensOf(other), null, (x, y) => {
    const [isX, isY] = [x !== null && isNumber(x), y !== null && isNumber(y)];
    // `1` is `1.0`, and a release is newer than its candidates.
    if (isX || isY) {
      if ((isX || x === null) && (isY || y === null)) return byNumber(x ?? '0', y ?? '0');
      return isX ? 1 : -1;
    }
    const [ageX, ageY] = [ageOf(x), ageOf(y)];
    return ageX - ageY || (ageX === OTHER_WORD ? byText(x ?? '', y ?? '') : 0);
  });
};

const ageOf = (word: string | null) =>
  word === null ? RELEASE : Object.hasOwn(WORDS, word) ? WORDS[word]! : OTHER_WORD;

export const VERSION_ORDERS: Readonly<Record<Ecosystem, VersionOrder>> = {
  npm: semantic,
  'crates.io': semantic,
  Go: semantic,
  NuGet: semantic,
  ConanCenter: semantic,
  PyPI: python,
  RubyGems: ruby,
  Maven: worded,
  Packagist: worded,
};
