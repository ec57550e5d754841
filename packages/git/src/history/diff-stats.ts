/** Counts the lines that commits add and delete, compared with their first parent. */

import { GitTimeoutError } from '../errors.ts';
import type { Commit } from '../objects/commit-object.ts';
import { EMPTY_TREE } from '../objects/object-id.ts';
import { memoized } from '../process/memoize.ts';
import type { RepositoryContext } from '../repository-context.ts';
import type { TreeFile } from '../trees/tree-listing.ts';
import { treeOf } from '../trees/tree-reader.ts';
import { parseRaw, type RawChange } from './diff-parser.ts';
import { diffTrees, type TreePair } from './diff-session.ts';

export interface DiffStats {
  additions: number;
  deletions: number;
  total: number;
}

const CHANGES = { maxBytes: 4 * 1024 * 1024, deadlineMs: 10_000 };
const LIMITS = { maxBytes: 64 * 1024 * 1024, deadlineMs: 10_000 };

/** Returns counts by commit id. @throws GitTimeoutError if git takes too long or writes too much for one of them */
export async function diffStats(
  context: RepositoryContext,
  commits: Commit[],
): Promise<Map<string, DiffStats>> {
  const stats = new Map<string, DiffStats>();
  const cacheKey = (id: string) => `${context.key}\0stats\0${id}`;
  const unknown: Commit[] = [];
  for (const commit of commits) {
    const known = context.answers.get(cacheKey(commit.id)) as DiffStats | undefined;
    if (known) stats.set(commit.id, known);
    else unknown.push(commit);
  }
  if (unknown.length === 0) return stats;
  const pairs = await Promise.all(unknown.map((commit) => firstParentPair(context, commit)));
  const answers = await diffTrees(context, 'numstat', pairs, LIMITS);
  answers.forEach(({ output, complete }, index) => {
    if (!complete) throw new GitTimeoutError();
    const { id } = unknown[index]!;
    const counted = parseNumstat(output);
    stats.set(id, counted);
    context.answers.set(cacheKey(id), counted, 300);
  });
  return stats;
}

async function firstParentPair(context: RepositoryContext, commit: Commit): Promise<TreePair> {
  const [parent] = commit.parentIds;
  return { from: parent === undefined ? EMPTY_TREE : await treeOf(context, parent), to: commit.treeId };
}

/**
 * Parses `<added>\t<deleted>\t<path>\0`; a rename has an empty path, then the old and new one. Binary files have `-`.
 */
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

export interface ChangedPath {
  oldPath: string;
  newPath: string;
  status: 'A' | 'D' | 'M' | 'T' | 'R';
}

/** The paths that differ between two commits; all paths if `from` is undefined. */
export async function changedPaths(
  context: RepositoryContext,
  from: string | undefined,
  to: string,
): Promise<ChangedPath[]> {
  return (await changedEntries(context, from, to)).map(({ oldPath, newPath, status }) => ({
    oldPath,
    newPath,
    status: status as ChangedPath['status'],
  }));
}

/** The entries that differ between two commits, as git tells them; all of them if `from` is undefined. */
export async function changedEntries(
  context: RepositoryContext,
  from: string | undefined,
  to: string,
): Promise<RawChange[]> {
  const pair = {
    from: from === undefined ? EMPTY_TREE : await treeOf(context, from),
    to: await treeOf(context, to),
  };
  if (pair.from === pair.to) return [];
  const [answer] = await diffTrees(context, 'raw', [pair], LIMITS);
  if (!answer?.complete) throw new GitTimeoutError();
  return parseRaw(answer.output).changes;
}

/** The regular files that differ between two commits: those of the later one, and paths that it has no longer. */
export async function changedFiles(
  context: RepositoryContext,
  from: string,
  to: string,
): Promise<{ files: TreeFile[]; removed: string[] }> {
  const pair = { from: await treeOf(context, from), to: await treeOf(context, to) };
  const [answer] = await diffTrees(context, 'raw', [pair], CHANGES);
  if (!answer?.complete) throw new GitTimeoutError();
  const files: TreeFile[] = [];
  const removed: string[] = [];
  for (const { oldPath, newPath, bMode, bOid } of parseRaw(answer.output).changes) {
    const isFile = bMode.startsWith('100');
    if (isFile) files.push({ path: newPath, oid: bOid });
    if (!isFile || oldPath !== newPath) removed.push(oldPath);
  }
  return { files, removed };
}

/** The number of paths that `changedPaths` lists. */
export function countChangedPaths(
  context: RepositoryContext,
  from: string | undefined,
  to: string,
): Promise<number> {
  const count = async () => (await changedPaths(context, from, to)).length;
  return memoized(context, ['changed-count', from ?? EMPTY_TREE, to], count);
}
