import type { AnswerOf, RequestOf } from '@forgelog/contracts/operation.ts';
import { MERGE_BOUNDS, type rebaseBranch } from '@forgelog/contracts/repo/merges/merge.operations.ts';
import type { Repository } from '@forgelog/git/git.ts';
import type { Commit } from '@forgelog/git/objects/commit-object.ts';
import { EMPTY_TREE } from '@forgelog/git/objects/object-id.ts';
import type { Person } from '@forgelog/git/trees/commit-builder.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import type { WriteAsking } from '@forgelog/service-kit/operations.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { personOf } from '../commits/apply-commit.commands.ts';
import type { RepoPorts } from '../ports.ts';
import { moveBranchOnce } from '../shared/move-branch-once.commands.ts';

type Answer = AnswerOf<typeof rebaseBranch>;

interface Rebasing extends WriteAsking {
  request: RequestOf<typeof rebaseBranch>;
  caller: Principal;
  grant: ProjectGrant;
  repository: Repository;
}

/** Puts the commits of a branch on top of another commit, which the repository has. A repeated call answers from the log. */
export function rebase(ports: RepoPorts, rebasing: Rebasing): Promise<Answer> {
  const more = { pushOptions: rebasing.request.skipCi ? ['ci.skip'] : [] };
  return moveBranchOnce(ports, { ...rebasing, right: 'force', more }, () => rebuild(ports, rebasing));
}

/** Makes the commits anew, as `git rebase` does: no merges, and no commit whose change is there already. */
async function rebuild(ports: RepoPorts, { request, caller, repository }: Rebasing) {
  const { sha, onto } = request;
  if ((await repository.mergeBase([onto.sha, sha])) === onto.sha) return { sha };
  const range = { include: [sha], exclude: [onto.sha] };
  const limit = MERGE_BOUNDS.rebased;
  const options = { range, limit, order: 'topo', noMerges: true } as const;
  const { commits, hasMore } = (await repository.commits(options))!;
  if (hasMore) return { refused: 'too many commits' as const };
  const committer = { name: caller.name, email: caller.email, date: ports.clock() };
  let tip = (await repository.commit(onto.sha))!;
  for (const commit of commits.reverse()) {
    const next = await putOnTop(repository, commit, tip, committer);
    if ('refused' in next) return next;
    tip = next;
  }
  return { sha: tip.id };
}

async function putOnTop(repository: Repository, commit: Commit, tip: Commit, committer: Person) {
  const [parentId] = commit.parentIds;
  const before = parentId === undefined ? EMPTY_TREE : (await repository.commit(parentId))!.treeId;
  const { treeOid, conflicts } =
    before === tip.treeId
      ? { treeOid: commit.treeId, conflicts: [] }
      : await repository.mergeTrees({ ours: tip.id, theirs: commit.id, base: parentId ?? EMPTY_TREE });
  if (conflicts.length > 0)
    return { refused: 'conflict' as const, conflicts: conflicts.slice(0, MERGE_BOUNDS.conflicts) };
  if (treeOid === tip.treeId && commit.treeId !== before) return tip;
  const author = personOf(commit.author);
  const { message } = commit;
  const oid = await repository.commitTree({ treeOid, parents: [tip.id], author, committer, message });
  return (await repository.commit(oid))!;
}
