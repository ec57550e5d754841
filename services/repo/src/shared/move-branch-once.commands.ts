import type { EventMetadata } from '@forgelog/eventing/event.ts';
import { RefMovedError } from '@forgelog/git/errors.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import { branchTip } from '../merges/branch-tip.query.ts';
import type { RepoPorts } from '../ports.ts';
import { type MoveOptions, OperationDoneError } from '../repository-storage/repositories.ts';
import { isAgainstRules } from './move-ref.commands.ts';
import { serializedPerRef } from './ref-queue.ts';

type NotMoved =
  | { refused: 'forbidden' | 'no branch' | 'branch moved' }
  | { refused: 'rule'; message: string };

/**
 * Moves a branch from the commit `sha` to what `build` makes of it, once for an operation id: a repeated call answers from
 * the log.
 */
export function moveBranchOnce<Built extends { sha: string } | { refused: string }>(
  ports: RepoPorts,
  {
    request: { projectId, branch, sha },
    ...asking
  }: {
    request: { projectId: number; branch: string; sha: string };
    operationId: string;
    metadata: EventMetadata;
    grant: ProjectGrant;
    right: 'update' | 'force';
    more: Pick<MoveOptions, 'pushOptions' | 'suggestionIds'>;
  },
  build: () => Promise<Built>,
): Promise<Built | { sha: string } | NotMoved> {
  const { operationId, metadata, grant, right, more } = asking;
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
    if (!access.mayMove(ref, right)) return { refused: 'forbidden' };
    const tip = await branchTip(ports, projectId, branch);
    if (tip !== sha) return { refused: tip === undefined ? 'no branch' : 'branch moved' };
    const built = await build();
    if (!('sha' in built) || built.sha === sha) return built;
    const update = { ref, oldOid: sha, newOid: built.sha };
    try {
      await repositories.moveRefs(projectId, [update], metadata, 'api', { operationId, ...more });
    } catch (error) {
      if (isAgainstRules(error)) return { refused: 'rule', message: error.body.message };
      if (error instanceof RefMovedError) return { refused: 'branch moved' };
      if (error instanceof OperationDoneError) return (await doneBefore())!;
      throw error;
    }
    return built;
  });
}
