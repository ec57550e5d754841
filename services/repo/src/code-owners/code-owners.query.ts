import { setImmediate } from 'node:timers/promises';
import type { RepositoryReads } from '@forgelog/git/repository-reads.ts';
import { LRUCache } from 'lru-cache';
import { type OwnedPattern, type OwnerSection, ownedBy, parseCodeOwners } from './code-owners-file.ts';

type Reads = Pick<RepositoryReads, 'entry' | 'objects' | 'changedPaths' | 'mergeBase'>;

/** A line that owns a changed path, and its section. */
export interface ChangedOwners {
  section: OwnerSection;
  line: OwnedPattern;
}

/** Places of the file; the first one counts. */
const PLACES = ['CODEOWNERS', 'docs/CODEOWNERS', '.gitlab/CODEOWNERS'];
/** A larger file is none. */
const MOST_BYTES = 1024 * 1024;
/** Files of different projects may be the same object. */
const FILES = 500;
/** Paths between two turns of the event loop: each is held against up to 10,000 patterns. */
const TURN = 20;

const files = new LRUCache<string, readonly OwnerSection[]>({ max: FILES });
const NONE: readonly OwnerSection[] = [];

async function codeOwnersAt(reads: Reads, commit: string): Promise<readonly OwnerSection[]> {
  for (const place of PLACES) {
    const entry = await reads.entry(commit, place);
    if (entry?.type !== 'blob') continue;
    const known = files.get(entry.oid);
    if (known) return known;
    const size = (await reads.objects.info(entry.oid))?.size ?? 0;
    const parsed =
      size > MOST_BYTES
        ? NONE
        : parseCodeOwners((await reads.objects.need(entry.oid, 'blob')).toString('utf8'));
    files.set(entry.oid, parsed);
    return parsed;
  }
  return NONE;
}

/**
 * The lines that own what differs between two commits, each once.
 * @param at the commit whose file of code owners counts
 * @param range `from` is asked where there is such a file
 * @throws GitTimeoutError
 */
export async function changedOwners(
  reads: Reads,
  at: string,
  range: { from: () => Promise<string | undefined>; to: string },
): Promise<ChangedOwners[]> {
  const sections = await codeOwnersAt(reads, at);
  if (sections.length === 0) return [];
  const found = new Map<OwnedPattern, ChangedOwners>();
  const changes = await reads.changedPaths(await range.from(), range.to);
  const paths = new Set(changes.flatMap(({ oldPath, newPath }) => [oldPath, newPath]));
  let done = 0;
  for (const path of paths) {
    if (++done % TURN === 0) await setImmediate();
    const segments = path.split('/');
    for (const section of sections) {
      const line = ownedBy(section, segments);
      if (line) found.set(line, { section, line });
    }
  }
  return [...found.values()];
}
