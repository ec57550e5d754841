import { baseScore } from './cvss.ts';
import { type Ecosystem, ecosystemOf, packageKey } from './ecosystem.ts';
import { type Fields, fieldsOf, textOf } from './unknown-values.ts';
import { MOST_CHARACTERS, VERSION_ORDERS, type VersionOrder } from './version-order.ts';

/** What a file in the format of OSV says of packages that lockfiles name. */
export interface Advisory {
  /** Its id and the names that other databases have for it. */
  ids: readonly string[];
  name: string;
  severity: Severity;
  affected: readonly AffectedPackage[];
}

export type Severity = 'unknown' | 'info' | 'low' | 'medium' | 'high' | 'critical';

export interface AffectedPackage {
  key: string;
  ecosystem: Ecosystem;
  ranges: readonly (readonly Turn[])[];
  versions: ReadonlySet<string>;
}

/** From this version on packages are affected, or no longer; a last one is affected itself. */
interface Turn {
  version: string;
  at: 'introduced' | 'fixed' | 'last_affected';
}

const MOST_ALIASES = 100;
const MOST_AFFECTED = 2_000;
const MOST_TURNS = 1_000;
const MOST_VERSIONS = 10_000;
const MOST_NAME = 255;

/** Undefined for one that was withdrawn. @throws Error with what is wrong with the text */
export function readAdvisory(text: string): Advisory | undefined {
  const data = fieldsOf(JSON.parse(text));
  const id = short(data.id, 'id');
  if (data.withdrawn != null) return undefined;
  const aliases = few(data.aliases, MOST_ALIASES, 'aliases').map((alias) => short(alias, 'aliases'));
  const summary = textOf(data.summary);
  return {
    ids: [id, ...aliases],
    name: `${id}${summary ? `: ${summary}` : ''}`.slice(0, MOST_NAME),
    severity: severityOf(data),
    affected: few(data.affected, MOST_AFFECTED, 'affected').flatMap((one) => affectedOf(fieldsOf(one))),
  };
}

function short(value: unknown, where: string): string {
  const text = textOf(value);
  if (text === null || text.length > MOST_CHARACTERS)
    throw new Error(`${where}: must be a text of 1 to ${MOST_CHARACTERS} characters`);
  return text;
}

/** An absent list is empty. */
function few(value: unknown, most: number, where: string): readonly unknown[] {
  if (value == null) return [];
  if (!Array.isArray(value) || value.length > most)
    throw new Error(`${where}: must be a list of ${most} at most`);
  return value;
}

const WORDS: Readonly<Record<string, Severity>> = {
  ...{ low: 'low', moderate: 'medium', medium: 'medium', high: 'high', critical: 'critical' },
};

/** The word of the database counts before the score. */
function severityOf({ database_specific: own, severity }: Fields): Severity {
  const word = textOf(fieldsOf(own).severity)?.toLowerCase() ?? '';
  if (Object.hasOwn(WORDS, word)) return WORDS[word]!;
  const scores = few(severity, MOST_ALIASES, 'severity').flatMap((one) => {
    const { type, score } = fieldsOf(one);
    const known = type === 'CVSS_V3' ? baseScore(textOf(score) ?? '') : null;
    return known === null ? [] : [known];
  });
  if (scores.length === 0) return 'unknown';
  const most = Math.max(...scores);
  if (most === 0) return 'info';
  return most < 4 ? 'low' : most < 7 ? 'medium' : most < 9 ? 'high' : 'critical';
}

function affectedOf({ package: named, ranges, versions }: Fields): AffectedPackage[] {
  const { ecosystem: written, name } = fieldsOf(named);
  const ecosystem = ecosystemOf(textOf(written) ?? '');
  if (!ecosystem) return [];
  const order = VERSION_ORDERS[ecosystem];
  // Ranges of commits say nothing of versions.
  const turns = few(ranges, MOST_TURNS, 'affected.ranges')
    .map(fieldsOf)
    .filter(({ type }) => type === 'SEMVER' || type === 'ECOSYSTEM')
    .map(({ events }) => turnsOf(few(events, MOST_TURNS, 'affected.ranges.events'), order));
  const listed = few(versions, MOST_VERSIONS, 'affected.versions');
  return [
    {
      key: packageKey(ecosystem, short(name, 'affected.package.name')),
      ecosystem,
      ranges: turns,
      // Lists repeat what ranges say, at the cost of much memory.
      versions: new Set(turns.length > 0 ? [] : listed.map((one) => short(one, 'affected.versions'))),
    },
  ];
}

const BEGINNING = '0';

function turnsOf(events: readonly unknown[], order: VersionOrder): Turn[] {
  const turns = events
    .map(fieldsOf)
    .flatMap((event) =>
      (['introduced', 'fixed', 'last_affected'] as const).flatMap((at) =>
        event[at] == null ? [] : [{ at, version: short(event[at], 'affected.ranges.events') }],
      ),
    );
  const rank = ({ version: of }: Turn) => (of === BEGINNING ? 0 : 1);
  return turns.sort((a, b) => rank(a) - rank(b) || order(a.version, b.version));
}

/** Whether it is about this version. */
export function affects({ ecosystem, ranges, versions }: AffectedPackage, asked: string): boolean {
  if (versions.has(asked)) return true;
  // A commit, an address or a branch is in no order with versions.
  if (asked.length > MOST_CHARACTERS || !/^v?\d/i.test(asked)) return false;
  const order = VERSION_ORDERS[ecosystem];
  return ranges.some((turns) => {
    let [newest, end, isSame] = [-1, turns.length, false];
    while (end - newest > 1) {
      const middle = (newest + end) >> 1;
      const { version: of } = turns[middle]!;
      const difference = of === BEGINNING ? 1 : order(asked, of);
      if (difference < 0) end = middle;
      else [newest, isSame] = [middle, difference === 0];
    }
    const at = turns[newest]?.at;
    return at === 'introduced' || (at === 'last_affected' && isSame);
  });
}

/** What it takes in memory and to look through, in turns and versions. */
export const weightOf = ({ ranges, versions }: AffectedPackage): number =>
  1 + versions.size + ranges.reduce((turns, range) => turns + range.length, 0);
