import type { AnswerOf, RequestOf } from '@forgelog/contracts/operation.ts';
import { MERGE_BOUNDS, type rebaseBranch } from '@forgelog/contracts/repo/merges/merge.operations.ts';
import { RefMovedError } from '@forgelog/git/errors.ts';
import type { Repository } from '@forgelog/git/git.ts';
import type { Commit } from '@forgelog/git/objects/commit-object.ts';
import { EMPTY_TREE } from '@forgelog/git/objects/object-id.ts';
import type { Person } from '@forgelog/git/trees/commit-builder.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import type { WriteAsking } from '@forgelog/service-kit/operations.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { personOf } from '../commits/apply-commit.commands.ts';
import type { RepoPorts } from '../ports.ts';
import { OperationDoneError } from '../repository-storage/repositories.ts';
import { isAgainstRules } from '../shared/move-ref.commands.ts';
import { serializedPerRef } from '../shared/ref-queue.ts';
import { branchTip } from './branch-tip.query.ts';

type Answer = AnswerOf<typeof rebaseBranch>;

interface Rebasing extends WriteAsking {
  request: RequestOf<typeof rebaseBranch>;
  caller: Principal;
  grant: ProjectGrant;
  repository: Repository;
}

/** Puts the commits of a branch on top of another commit, which the repository has. A repeated call answers from the log. */
export function rebase(ports: RepoPorts, rebasing: Rebasing): Promise<Answer> {
  const { request, operationId, metadata, grant } = rebasing;
  const { projectId, branch, sha, skipCi } = request;
  const { repositories } = ports;
  const ref = `refs/heads/${branch}`;
  const doneBefore = async () => {
    const done = await repositories.movedBy(projectId, operationId);
    if (done) await repositories.idle(projectId);
    return done && { sha: done.newOid };
  };
  return serializedPerRef(projectId, ref, async () => {
    const done = await doneBefore();
    if (done) return done;
    const access = await ports.refAccess(grant);
    if (!access.mayMove(ref, 'force')) return { refused: 'forbidden' };
    const tip = await branchTip(ports, projectId, branch);
    if (tip !== sha) return { refused: tip === undefined ? 'no branch' : 'branch moved' };
    const built = await rebuild(ports, rebasing);
    if ('refused' in built || built.sha === sha) return built;
    const pushOptions = skipCi ? ['ci.skip'] : [];
    const update = { ref, oldOid: sha, newOid: built.sha };
    try {
      await repositories.moveRefs(projectId, [update], metadata, 'api', { operationId, pushOptions });
    } catch (error) {
      if (isAgainstRules(error)) return { refused: 'rule', message: error.body.message };
      if (error instanceof RefMovedError) return { refused: 'branch moved' };
      if (error instanceof OperationDoneError) return (await doneBefore())!;
      throw error;
    }
    return built;
  });
}

/** Makes the commits anew, as `git rebase` does: no merges, and no commit whose change is there already. */
async function rebuild(ports: RepoPorts, { request, caller, repository }: Rebasing): Promise<Answer> {
  const { sha, onto } = request;
  if ((await repository.mergeBase([onto.sha, sha])) === onto.sha) return { sha };
  const range = { include: [sha], exclude: [onto.sha] };
  const limit = MERGE_BOUNDS.rebased;
  const options = { range, limit, order: 'topo', noMerges: true } as const;
  const { commits, hasMore } = (await repository.commits(options))!;
  if (hasMore) return { refused: 'too many commits' };
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
