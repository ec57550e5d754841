import { type PathPattern, pathPattern } from './path-pattern.ts';

/** A line of the file that names owners of paths. */
export interface OwnedPattern {
  /** As it is written. */
  pattern: string;
  /** `@name` of users and groups, and addresses; none where the paths are to have no owner. */
  owners: readonly string[];
  covers: PathPattern;
}

/** Lines that are matched by themselves: in each section, the last line that covers a path has its owners. */
export interface OwnerSection {
  /** Null for lines above the first heading. */
  name: string | null;
  isOptional: boolean;
  /** Approvals that each of its lines needs. */
  approvals: number;
  patterns: readonly OwnedPattern[];
}

/** Lines after these are left out. */
const MOST_PATTERNS = 10_000;
const MOST_APPROVALS = 100;
const HEADING = /^(\^?)\[([^\]]+)\](?:\[(\d{1,9})\])?(?=\s|$)(.*)$/;

/** Reads a file of code owners. Sections of one name are one; what is no owner after a pattern is left out. */
export function parseCodeOwners(text: string): OwnerSection[] {
  const sections = new Map<string, OwnerSection & { patterns: OwnedPattern[] }>();
  const begin = (name: string | null, more: { isOptional: boolean; approvals: number }) => {
    const key = name?.toLowerCase() ?? '';
    const known = sections.get(key) ?? { name, ...more, patterns: [] };
    sections.set(key, known);
    return known;
  };
  let section = begin(null, { isOptional: false, approvals: 1 });
  let defaults: readonly string[] = [];
  let count = 0;
  for (const line of text.split('\n')) {
    const content = line.trim();
    if (content === '' || content.startsWith('#')) continue;
    const heading = HEADING.exec(content);
    if (heading) {
      const approvals = Math.min(Math.max(Number(heading[3] ?? 1), 1), MOST_APPROVALS);
      section = begin(heading[2]!.trim(), { isOptional: heading[1] === '^', approvals });
      defaults = ownersIn(heading[4]!);
      continue;
    }
    if (count++ === MOST_PATTERNS) break;
    const [pattern, rest] = firstWord(content);
    const owners = ownersIn(rest);
    section.patterns.push({
      pattern,
      owners: owners.length > 0 ? owners : defaults,
      covers: pathPattern(pattern),
    });
  }
  return [...sections.values()].filter(({ patterns }) => patterns.length > 0);
}

/** A pattern ends at a space that no backslash precedes. */
function firstWord(line: string): [word: string, rest: string] {
  for (let at = 0; at < line.length; at++) {
    if (line[at] === '\\') at += 1;
    else if (line[at] === ' ' || line[at] === '\t') return [line.slice(0, at), line.slice(at)];
  }
  return [line, ''];
}

const ownersIn = (text: string): string[] => [
  ...new Set(text.split(/\s+/).filter((word) => word.length > 1 && word.includes('@'))),
];

/** The line of a section that has the owners of a path; undefined where the path has none. */
export function ownedBy({ patterns }: OwnerSection, segments: readonly string[]): OwnedPattern | undefined {
  const last = patterns.findLast(({ covers }) => covers(segments));
  return last && last.owners.length > 0 ? last : undefined;
}
