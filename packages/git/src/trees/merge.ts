/** Merges trees in git, for merge requests, cherry-picks, reverts and rebases. */

import { assertOid, EMPTY_TREE } from '../objects/object-id.ts';
import type { RepositoryContext } from '../repository-context.ts';
import { decodeText, splitBytes } from '../text.ts';
import { commitTree, type Person } from './commit-builder.ts';
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

/** Fixed, so that the same merge writes the same objects. */
const NOBODY: Person = { name: 'merge', email: 'merge@localhost', date: new Date(0) };

/** git 2.39 accepts no merge base: wrap both trees in commits whose only parent is that base. */
async function withBase(context: RepositoryContext, { ours, theirs }: MergeRequest, base: string) {
  const stand = async (commitOid: string, parents: string[]) =>
    commitTree(context, {
      treeOid: commitOid === EMPTY_TREE ? commitOid : await treeOf(context, commitOid),
      parents,
      author: NOBODY,
      message: 'merge\n',
    });
  const root = await stand(base, []);
  return { ours: await stand(ours, [root]), theirs: await stand(theirs, [root]) };
}
