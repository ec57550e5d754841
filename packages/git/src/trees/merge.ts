/** Merges trees in git, for merge requests, cherry-picks, reverts and rebases. */

import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { mergeBase } from '../history/history.ts';
import { onlyMergeBase } from '../history/only-merge-base.ts';
import { writeObjects } from '../objects/loose-object-writer.ts';
import { assertOid, EMPTY_TREE } from '../objects/object-id.ts';
import { alternatesValue } from '../process/command-environment.ts';
import type { CaptureOptions } from '../process/git-runner.ts';
import { memoized } from '../process/memoize.ts';
import type { RepositoryContext } from '../repository-context.ts';
import { decodeText, splitBytes } from '../text.ts';
import { commitTree, type Person } from './commit-builder.ts';
import { plainMerge } from './plain-merge.ts';
import { treeOf } from './tree-reader.ts';

export interface MergeRequest {
  ours: string;
  theirs: string;
  /**
   * The merge base; by default computed. To cherry-pick C onto H: ours H, theirs C, base C's parent. To revert C: ours
   * H, theirs C's parent, base C. The parent of a first commit is `EMPTY_TREE`.
   */
  base?: string;
}

/** The stored tree. With conflicts it contains the markers, and their paths are listed. */
export interface MergedTree {
  treeOid: string;
  conflicts: string[];
}

/** Merges the trees of two commits. `commitTree` makes a commit of the result. */
export async function mergeTrees(context: RepositoryContext, request: MergeRequest): Promise<MergedTree> {
  const base = request.base ?? (await onlyMergeBase(context, request.ours, request.theirs));
  const plain = base === undefined ? undefined : await plainly(context, { ...request, base });
  if (plain) {
    await writeObjects(context, plain.objects);
    return { treeOid: plain.treeOid, conflicts: [] };
  }
  const { ours, theirs } =
    request.base === undefined ? request : await withBase(context, request, request.base);
  return mergeTree(context, ours, theirs, { weight: 'heavy' });
}

async function plainly(context: RepositoryContext, { base, ours, theirs }: Required<MergeRequest>) {
  const [of, mine, other] = await Promise.all([base, ours, theirs].map((oid) => treeOrEmpty(context, oid)));
  return plainMerge(context, { base: of!, ours: mine!, theirs: other! });
}

const treeOrEmpty = async (context: RepositoryContext, commitOid: string): Promise<string> =>
  commitOid === EMPTY_TREE ? commitOid : treeOf(context, commitOid);

/** The most conflicting paths that are told. */
const MOST_CONFLICTS = 1_000;

/** Paths that conflict if two commits are merged. It stores nothing in the repository. */
export async function mergeConflicts(
  context: RepositoryContext,
  ours: string,
  theirs: string,
): Promise<string[]> {
  return memoized(context, ['conflicts', assertOid(ours), assertOid(theirs)], async () => {
    const base = await mergeBase(context, [ours, theirs]);
    if (base === ours || base === theirs) return [];
    const only = await onlyMergeBase(context, ours, theirs);
    if (only !== undefined && (await plainly(context, { ours, theirs, base: only }))) return [];
    // git removes such a folder as its own, if it outlives this process.
    const scratch = join(context.gitDir, 'objects', `tmp_objdir-merge-${randomBytes(8).toString('hex')}`);
    await mkdir(scratch);
    try {
      const { conflicts } = await mergeTree(context, ours, theirs, {
        weight: 'walk',
        env: scratchEnvironment(context, scratch),
        config: [['core.fsync', 'none']],
      });
      return conflicts.slice(0, MOST_CONFLICTS);
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  });
}

/** New objects go to the folder; all others are read from where they are. */
function scratchEnvironment({ gitDir, objectEnv }: RepositoryContext, folder: string) {
  const own = alternatesValue([objectEnv.GIT_OBJECT_DIRECTORY ?? join(gitDir, 'objects')]);
  const others = objectEnv.GIT_ALTERNATE_OBJECT_DIRECTORIES;
  return {
    GIT_OBJECT_DIRECTORY: folder,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: others ? `${own}:${others}` : own,
  };
}

const MERGE_TREE = [
  'merge-tree',
  '--write-tree',
  '-z',
  '--name-only',
  '--no-messages',
  '--allow-unrelated-histories',
];

async function mergeTree(
  context: RepositoryContext,
  ours: string,
  theirs: string,
  options: CaptureOptions,
): Promise<MergedTree> {
  const run = await context.runner.capture(context, [...MERGE_TREE, assertOid(ours), assertOid(theirs)], {
    codes: [0, 1],
    deadlineMs: 60_000,
    ...options,
  });
  const [tree, ...paths] = splitBytes(run.stdout, 0).map(decodeText);
  return {
    treeOid: assertOid(tree ?? ''),
    conflicts: run.code === 0 ? [] : paths.filter((path) => path !== ''),
  };
}

/** Fixed, so that the same merge writes the same objects. */
const NOBODY: Person = { name: 'merge', email: 'merge@localhost', date: new Date(0) };

/** git 2.39 accepts no merge base: wrap both trees in commits whose only parent is that base. */
async function withBase(context: RepositoryContext, { ours, theirs }: MergeRequest, base: string) {
  const stand = async (commitOid: string, parents: string[]) =>
    commitTree(context, {
      treeOid: await treeOrEmpty(context, commitOid),
      parents,
      author: NOBODY,
      message: 'merge\n',
    });
  const root = await stand(base, []);
  return { ours: await stand(ours, [root]), theirs: await stand(theirs, [root]) };
}
