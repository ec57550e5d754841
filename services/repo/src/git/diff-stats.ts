/** How many lines commits add and delete, against their first parent. */
import type { Commit } from './commit-object.ts';
import { parseRaw } from './diff-parser.ts';
import { diffTrees, type TreePair } from './diff-session.ts';
import { GitTimeoutError } from './git-errors.ts';
import { EMPTY_TREE } from './object-id.ts';
import type { Store } from './store.ts';
import { treeOf } from './tree-reader.ts';

export type DiffStats = { additions: number; deletions: number; total: number };

const LIMITS = { maxBytes: 64 * 1024 * 1024, deadlineMs: 10_000 };

/** By commit id. GitTimeoutError where git takes too long, or has too much to say, for one of them. */
export async function diffStats(store: Store, commits: Commit[]): Promise<Map<string, DiffStats>> {
  const stats = new Map<string, DiffStats>();
  const cacheKey = (id: string) => `${store.key}\0stats\0${id}`;
  const unknown: Commit[] = [];
  for (const commit of commits) {
    const known = store.answers.get(cacheKey(commit.id)) as DiffStats | undefined;
    if (known) stats.set(commit.id, known);
    else unknown.push(commit);
  }
  if (unknown.length === 0) return stats;
  const pairs = await Promise.all(unknown.map((commit) => firstParentPair(store, commit)));
  const answers = await diffTrees(store, 'numstat', pairs, LIMITS);
  answers.forEach(({ output, complete }, index) => {
    if (!complete) throw new GitTimeoutError();
    const { id } = unknown[index]!;
    const counted = parseNumstat(output);
    stats.set(id, counted);
    store.answers.set(cacheKey(id), counted, 300);
  });
  return stats;
}

async function firstParentPair(store: Store, commit: Commit): Promise<TreePair> {
  const [parent] = commit.parentIds;
  return { from: parent === undefined ? EMPTY_TREE : await treeOf(store, parent), to: commit.treeId };
}

/** `<added>\t<deleted>\t<path>\0`, or with an empty path and then old and new path. Binary files have `-`. */
function parseNumstat(output: Buffer): DiffStats {
  const fields = output.toString('latin1').split('\0');
  let additions = 0;
  let deletions = 0;
  for (let index = 0; index < fields.length - 1; index++) {
    const [added = '', deleted = '', path = ''] = fields[index]!.split('\t', 3);
    additions += Number(added) || 0;
    deletions += Number(deleted) || 0;
    if (path === '') index += 2;
  }
  return { additions, deletions, total: additions + deletions };
}

export type ChangedPath = { oldPath: string; newPath: string; status: 'A' | 'D' | 'M' | 'T' | 'R' };

/** The paths that differ between two commits' trees, without their contents; everything if `from` is undefined. */
export async function changedPaths(
  store: Store,
  from: string | undefined,
  to: string,
): Promise<ChangedPath[]> {
  const pair = {
    from: from === undefined ? EMPTY_TREE : await treeOf(store, from),
    to: await treeOf(store, to),
  };
  if (pair.from === pair.to) return [];
  const [answer] = await diffTrees(store, 'raw', [pair], LIMITS);
  if (!answer?.complete) throw new GitTimeoutError();
  return parseRaw(answer.output).changes.map(({ oldPath, newPath, status }) => ({
    oldPath,
    newPath,
    status: status as ChangedPath['status'],
  }));
}
