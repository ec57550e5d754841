import type { Operation, RequestOf } from '@forgelog/contracts/operation.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { ZERO_OID } from '@forgelog/git/objects/object-id.ts';
import type { Asking } from '@forgelog/service-kit/operations.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import type { StreamedEvent } from '@forgelog/testing/sample-events.ts';
import { DEVELOPER } from '@forgelog/testing/sample-team.ts';
import { mergeSlice } from '../merges/merge.slice.ts';
import type { RepoPorts } from '../ports.ts';
import { projectsProjection } from '../projects/projects.projection.ts';
import { samplePrincipal } from './sample-principal.ts';
import { startRepoSlices } from './start-repo-slices.ts';

const SLICES = [mergeSlice, defineSlice<RepoPorts>({ projections: [projectsProjection] })];

/** Project 7, whose branch `topic` begins at the first commit of `main`. */
export async function startMerges(given: readonly StreamedEvent[]) {
  const running = await startRepoSlices(SLICES, given);
  const { repositories } = running.repo;
  const begin = await running.commit(7, 'main', { 'a.txt': 'a\n', 'b.txt': 'b\n' }, 'Begin');
  const setBranch = async (branch: string, newOid: string, projectId = 7) => {
    const ref = `refs/heads/${branch}`;
    const oldOid = (await repositories.of(projectId).readRef(ref)) ?? ZERO_OID;
    return repositories.moveRefs(projectId, [{ ref, oldOid, newOid }], SYSTEM_METADATA, 'api');
  };
  await setBranch('topic', begin);
  return {
    ...running,
    begin,
    setBranch,
    tip: (branch: string, projectId = 7) => repositories.of(projectId).readRef(`refs/heads/${branch}`),
    ask: <O extends Operation<'read'>>(operation: O, request: RequestOf<O>, userId = DEVELOPER) =>
      running.ports.operations.call(operation, request, {
        principal: samplePrincipal(userId),
      } as Asking<O>),
    /** Calls an operation that writes, by its id. */
    write: <O extends Operation<'write'>>(
      operation: O,
      operationId: string,
      request: RequestOf<O>,
      userId = DEVELOPER,
    ) =>
      running.ports.operations.call(operation, request, {
        ...{ principal: samplePrincipal(userId), operationId, metadata: SYSTEM_METADATA },
      } as Asking<O>),
  };
}
