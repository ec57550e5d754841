import type { SemVer } from 'semver';
import compare from 'semver/functions/compare.js';
import { parseVersion } from './semantic-version.ts';

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

/** Matches the message of a revert. */
const REVERT = /^This reverts commit ([0-9a-f]{40})/im;

/**
 * Collects the entries of a range: commits with the trailer, matched case-sensitively [L219]. Omits a commit that is
 * reverted within the range, and its revert.
 */
export class ChangelogEntries {
  readonly #entries: ChangelogEntry[] = [];
  readonly #reverted = new Set<string>();
  readonly #trailer: string;

  constructor(trailer: string) {
    this.#trailer = trailer;
  }

  /** @param commits newest first; each call continues with older ones */
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
 * Renders the Markdown section of a version: a heading per category in order of appearance, an item per commit. Ends
 * with an empty line.
 * @param date `YYYY-MM-DD`
 * @param projectPath full path, for links to commits
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

/** Escapes brackets, which would end the link. */
function escapeLinkText(title: string): string {
  return title.replace(/[[\]\\]/g, '\\$&');
}

/** Inserts a section before the first one of a lower version, else at the end. */
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

/** Parses the version of a heading: `## 1.2.0 (2021-09-20)`, `## v1.2.0` or `## [1.2.0]`. */
function versionOf(line: string): SemVer | null {
  const word = /^##[ \t]+\[?v?([^\s\]]+)/.exec(line)?.[1];
  return word === undefined ? null : parseVersion(word);
}
