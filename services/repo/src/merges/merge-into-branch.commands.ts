import type { AnswerOf, RequestOf } from '@forgelog/contracts/operation.ts';
import type { mergeIntoBranch } from '@forgelog/contracts/repo/merges/merge.operations.ts';
import { RefMovedError } from '@forgelog/git/errors.ts';
import type { Repository } from '@forgelog/git/git.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import type { WriteAsking } from '@forgelog/service-kit/operations.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { unavailable } from '@forgelog/service-kit/unavailable.ts';
import type { RepoPorts } from '../ports.ts';
import { projects } from '../projects/project.collection.ts';
import { type ProjectSettings, settingsOf } from '../projects/project-settings.rules.ts';
import { type RefMerge, RefMovedMeanwhileError } from '../repository-storage/ref-log.decider.ts';
import { OperationDoneError } from '../repository-storage/repositories.ts';
import { bringCommits } from '../shared/bring-commits.ts';
import { isAgainstRules } from '../shared/move-ref.commands.ts';
import { serializedPerRef } from '../shared/ref-queue.ts';
import { branchTip } from './branch-tip.query.ts';
import { type MergeMethod, type MergeWish, planMerge } from './merge-plan.commands.ts';

type Answer = AnswerOf<typeof mergeIntoBranch>;

export interface Merging extends WriteAsking {
  request: RequestOf<typeof mergeIntoBranch>;
  caller: Principal;
  /** The caller's rights in the target project, and its repository. */
  grant: ProjectGrant;
  repository: Repository;
  signal: AbortSignal;
}

/** How often a push may come in between before the caller has to try again. */
const ATTEMPTS = 10;

/**
 * Merges, and moves the target branch: the event of that move is the merge. Merges into one branch wait for each other,
 * and a push that comes in between has them computed again. A repeated call answers from the event.
 */
export async function mergeBranch(ports: RepoPorts, merging: Merging): Promise<Answer> {
  const { request } = merging;
  return serializedPerRef(request.projectId, `refs/heads/${request.targetBranch}`, async () => {
    for (let attempt = 1; ; attempt++) {
      const done = await doneBefore(ports, merging);
      if (done) return done;
      try {
        return await mergeOnce(ports, merging);
      } catch (error) {
        if (error instanceof RefMovedMeanwhileError) return { refused: 'source moved' };
        if (isAgainstRules(error)) return { refused: 'rule', message: error.body.message };
        if (!(error instanceof RefMovedError || error instanceof OperationDoneError)) throw error;
        if (attempt === ATTEMPTS) throw unavailable('the target branch moves all the time', 2);
      }
    }
  });
}

async function doneBefore({ repositories }: RepoPorts, { request, operationId }: Merging) {
  const moved = await repositories.movedBy(request.projectId, operationId);
  if (!moved?.merge) return undefined;
  // The log has it before git: whoever gets the answer may read the branch.
  await repositories.idle(request.projectId);
  return answerOf(moved.newOid, moved.merge);
}

const answerOf = (targetSha: string, { iid: _, ...merge }: RefMerge): Answer => ({ ...merge, targetSha });

async function mergeOnce(ports: RepoPorts, merging: Merging): Promise<Answer> {
  const { request, operationId, metadata, grant, repository, signal } = merging;
  const { projectId, sourceProjectId, sha, iid } = request;
  const ref = `refs/heads/${request.targetBranch}`;
  const access = await ports.refAccess(grant);
  if (!access.mayMove(ref, 'merge')) return { refused: 'forbidden' };
  const source = await ports.directory.project(sourceProjectId);
  if (!source) return { refused: 'no source' };
  if (source.storage !== grant.project.storage) return { refused: 'other storage' };
  const sourceTip = await branchTip(ports, sourceProjectId, request.sourceBranch);
  if (sourceTip !== sha) return { refused: sourceTip === undefined ? 'no source' : 'source moved' };
  const tip = await branchTip(ports, projectId, request.targetBranch);
  if (tip === undefined) return { refused: 'no target' };
  await bringCommits(ports, { source, target: grant.project, oids: [sha], signal });
  const plan = await planMerge(repository, await wishOf(ports, merging, tip));
  if ('refused' in plan) return plan;
  const { newTip, ...commits } = plan;
  const merge = { iid, sha, ...commits };
  const unmoved = { ref: `refs/heads/${request.sourceBranch}`, oid: sha };
  if (sourceProjectId !== projectId) await requireUnmoved(ports, sourceProjectId, unmoved);
  const options = { operationId, merge, unmoved: sourceProjectId === projectId ? unmoved : undefined };
  const update = { ref, oldOid: tip, newOid: newTip };
  await ports.repositories.moveRefs(projectId, [update], metadata, 'api', options);
  return answerOf(newTip, merge);
}

/** The log of another repository is another stream, so its tip is looked at last. */
async function requireUnmoved(
  { repositories }: RepoPorts,
  projectId: number,
  { ref, oid }: { ref: string; oid: string },
): Promise<void> {
  const refs = await repositories.loggedRefs(projectId);
  if (refs.get(ref) !== oid) throw new RefMovedMeanwhileError(ref);
}

async function wishOf(
  { readStore, directory, clock }: RepoPorts,
  { request, caller }: Merging,
  tip: string,
): Promise<MergeWish> {
  const { sha, mergeMessage, squashMessage, squashAuthorId } = request;
  const row = await readStore.get(projects, request.projectId);
  const settings = settingsOf((row?.settings ?? {}) as ProjectSettings);
  const date = clock();
  const committer = { name: caller.name, email: caller.email, date };
  const isSquashed =
    settings.squash_option === 'always' || (settings.squash_option !== 'never' && request.squash);
  const user = isSquashed ? await directory.user(squashAuthorId) : undefined;
  // The email of a deleted user is gone.
  const author = user?.email ? { name: user.name, email: user.email, date } : committer;
  return {
    ...{ tip, sha, mergeMessage, committer },
    method: settings.merge_method as MergeMethod,
    squash: isSquashed ? { message: squashMessage, author } : undefined,
  };
}
