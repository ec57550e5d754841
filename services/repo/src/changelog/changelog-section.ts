import { compare, type SemVer } from 'semver';
import { parseVersion } from './semantic-version.ts';

/** What a changelog needs to know of a commit. */
export interface ChangelogCommit {
  id: string;
  title: string;
  message: string;
  trailers: readonly { key: string; value: string }[];
}

export interface ChangelogEntry {
  category: string;
  title: string;
  commitId: string;
}

/** A commit that takes another one back says so in its message. */
const REVERT = /^This reverts commit ([0-9a-f]{40})/im;

/**
 * The entries of a range of commits: those that carry the trailer, matched with its case [L219]. A commit that is
 * taken back within the range, and the one that takes it back, are no change.
 */
export class ChangelogEntries {
  readonly #entries: ChangelogEntry[] = [];
  readonly #reverted = new Set<string>();
  readonly #trailer: string;

  constructor(trailer: string) {
    this.#trailer = trailer;
  }

  /** @param commits the newest first, each call older ones than the call before */
  add(commits: readonly ChangelogCommit[]): void {
    for (const { id, title, message, trailers } of commits) {
      if (this.#reverted.has(id)) continue;
      const reverted = REVERT.exec(message)?.[1];
      if (reverted !== undefined) {
        this.#reverted.add(reverted.toLowerCase());
        continue;
      }
      const category = trailers.findLast(({ key }) => key === this.#trailer)?.value;
      if (category) this.#entries.push({ category, title, commitId: id });
    }
  }

  get all(): readonly ChangelogEntry[] {
    return this.#entries;
  }
}

/**
 * The Markdown section of a version: a heading per category in the order in which they come up, an item per
 * commit. Ends with an empty line.
 * @param date `YYYY-MM-DD`
 * @param projectPath full path, with which an item names its commit
 */
export function changelogSection(
  version: string,
  date: string,
  entries: readonly ChangelogEntry[],
  projectPath: string,
): string {
  const lines = [`## ${version} (${date})`, ''];
  if (entries.length === 0) lines.push('No changes.', '');
  for (const [category, members] of Map.groupBy(entries, (entry) => entry.category)) {
    const count = members.length === 1 ? '1 change' : `${members.length} changes`;
    lines.push(`### ${category} (${count})`, '');
    for (const { title, commitId } of members)
      lines.push(`- [${escapeLinkText(title)}](${projectPath}@${commitId})`);
    lines.push('');
  }
  return `${lines.join('\n')}\n`;
}

/** A title's own brackets must not end the link that it becomes. */
function escapeLinkText(title: string): string {
  return title.replace(/[[\]\\]/g, '\\$&');
}

/**
 * Puts a section into a changelog, whose other sections stay as they are: before the first one of a lower version,
 * else at the end.
 */
export function insertSection(changelog: string, version: SemVer, section: string): string {
  let at = 0;
  for (const line of changelog.split(/(?<=\n)/)) {
    const there = versionOf(line);
    if (there && compare(there, version) < 0) {
      return changelog.slice(0, at) + section + changelog.slice(at);
    }
    at += line.length;
  }
  if (changelog === '') return section;
  const gap = changelog.endsWith('\n\n') ? '' : changelog.endsWith('\n') ? '\n' : '\n\n';
  return `${changelog}${gap}${section}`;
}

/** The version of a section's heading, `## 1.2.0 (2021-09-20)`, `## v1.2.0` or `## [1.2.0]`. */
function versionOf(line: string): SemVer | null {
  const word = /^##[ \t]+\[?v?([^\s\]]+)/.exec(line)?.[1];
  return word === undefined ? null : parseVersion(word);
}
