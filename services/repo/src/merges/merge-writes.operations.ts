import {
  containedHeads,
  deleteMergedBranch,
  mergeIntoBranch,
  rebaseBranch,
  writeMergeRef,
} from '@forgelog/contracts/repo/merges/merge.operations.ts';
import { RefMovedError } from '@forgelog/git/errors.ts';
import { ZERO_OID } from '@forgelog/git/objects/object-id.ts';
import { implementOperation, type OperationImplementation } from '@forgelog/service-kit/operations.ts';
import type { RepoPorts } from '../ports.ts';
import { bringCommits } from '../shared/bring-commits.ts';
import { NO_PROJECT, readableRepositories } from '../shared/readable-repository.ts';
import { serializedPerRef } from '../shared/ref-queue.ts';
import { branchTip } from './branch-tip.query.ts';
import { ofCommits } from './merge-facts.query.ts';
import { mergeBranch } from './merge-into-branch.commands.ts';
import { setMergeRef } from './merge-ref.commands.ts';
import { rebase } from './rebase-branch.commands.ts';

/** Moves of refs that merge requests cause. */
export function mergeWriteOperations(ports: RepoPorts): OperationImplementation[] {
  const { repositories, refAccess } = ports;
  const readable = readableRepositories(ports);

  return [
    implementOperation(mergeIntoBranch, async ({ principal: caller, ...asked }) => {
      if (!caller) return NO_PROJECT;
      return readable.answer(asked.request.projectId, caller, (found) =>
        mergeBranch(ports, { ...asked, ...found, caller }),
      );
    }),

    implementOperation(rebaseBranch, async ({ principal: caller, signal, ...asked }) => {
      const { projectId, onto, sha } = asked.request;
      if (!caller) return NO_PROJECT;
      return readable.answer(projectId, caller, async (found) => {
        const target = await readable.find(onto.projectId, caller);
        if (!target) return { refused: 'no target' as const };
        const [source, here] = [target.grant.project, found.grant.project];
        if (source.storage !== here.storage) return { refused: 'other storage' as const };
        await bringCommits(ports, { source, target: here, oids: [onto.sha], signal });
        return ofCommits(found.repository, { sourceSha: sha, targetSha: onto.sha }, () =>
          rebase(ports, { ...asked, ...found, caller }),
        );
      });
    }),

    implementOperation(deleteMergedBranch, async ({ request, principal, operationId, metadata }) => {
      const { projectId, branch, sha } = request;
      const ref = `refs/heads/${branch}`;
      return readable.answer(projectId, principal, ({ grant }) =>
        serializedPerRef(projectId, ref, async () => {
          if (await repositories.movedBy(projectId, operationId)) return { deleted: true as const };
          const access = await refAccess(grant);
          if (access.protectionOf(ref)) return { refused: 'protected' as const };
          if (!access.mayMove(ref, 'delete')) return { refused: 'forbidden' as const };
          const tip = await branchTip(ports, projectId, branch);
          if (tip === undefined) return { refused: 'no branch' as const };
          const moved = { refused: 'branch moved' as const };
          if (tip !== sha) return moved;
          const update = { ref, oldOid: sha, newOid: ZERO_OID };
          try {
            await repositories.moveRefs(projectId, [update], metadata, 'api', { operationId });
          } catch (error) {
            if (error instanceof RefMovedError) return moved;
            throw error;
          }
          return { deleted: true as const };
        }),
      );
    }),

    implementOperation(writeMergeRef, ({ request, principal }) =>
      readable.answer(request.projectId, principal, ({ repository }) =>
        ofCommits(repository, request, () =>
          serializedPerRef(request.projectId, `refs/merge-requests/${request.iid}`, () =>
            setMergeRef(repository, request.iid, request),
          ),
        ),
      ),
    ),

    implementOperation(containedHeads, async ({ request: { projectId, tip, heads } }) => {
      const repository = repositories.of(projectId);
      const known = await Promise.all([tip, ...heads].map((oid) => repository.objects.info(oid)));
      if (!known[0]) return { contained: [] };
      const there = heads.filter((_, at) => known[at + 1]);
      const merged = await repository.mergedInto(there, tip);
      return { contained: there.filter((oid) => merged.has(oid)) };
    }),
  ];
}
