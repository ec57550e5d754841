/** Merges in memory of git: for merge requests, cherry-picks, reverts and rebases. */

import { assertOid } from '../objects/object-id.ts';
import type { RepositoryContext } from '../repository-context.ts';
import { decodeText, splitBytes } from '../text.ts';
import { commitTree, type Person } from './commit-builder.ts';
import { treeOf } from './tree-reader.ts';

export interface MergeRequest {
  /** Commits. */
  ours: string;
  theirs: string;
  /**
   * The commit to take as their common ancestor; default their merge base. A cherry-pick of C onto H is ours H,
   * theirs C, base the parent of C; a revert of C is ours H, theirs the parent of C, base C.
   */
  base?: string;
}

/** The merged tree, stored; where there are conflicts it holds their marks, and their paths are listed. */
export interface MergedTree {
  treeOid: string;
  conflicts: string[];
}

/** Merges two commits' trees. No commit is made, no ref is touched: `commitTree` makes one of the tree. */
export async function mergeTrees(context: RepositoryContext, request: MergeRequest): Promise<MergedTree> {
  const { ours, theirs } =
    request.base === undefined ? request : await withBase(context, request, request.base);
  const args = [
    'merge-tree',
    '--write-tree',
    '-z',
    '--name-only',
    '--no-messages',
    '--allow-unrelated-histories',
  ];
  const run = await context.runner.capture(context, [...args, assertOid(ours), assertOid(theirs)], {
    codes: [0, 1],
    weight: 'heavy',
    deadlineMs: 60_000,
  });
  const [tree, ...paths] = splitBytes(run.stdout, 0).map(decodeText);
  return {
    treeOid: assertOid(tree ?? ''),
    conflicts: run.code === 0 ? [] : paths.filter((path) => path !== ''),
  };
}

/** Always the same, so that the same question makes the same objects. */
const NOBODY: Person = { name: 'merge', email: 'merge@localhost', date: new Date(0) };

/** git 2.39 takes no base from outside: two commits of the same trees whose only history is that base. */
async function withBase(context: RepositoryContext, { ours, theirs }: MergeRequest, base: string) {
  const stand = async (commitOid: string, parents: string[]) =>
    commitTree(context, {
      treeOid: await treeOf(context, commitOid),
      parents,
      author: NOBODY,
      message: 'merge\n',
    });
  const root = await stand(base, []);
  return { ours: await stand(ours, [root]), theirs: await stand(theirs, [root]) };
}
