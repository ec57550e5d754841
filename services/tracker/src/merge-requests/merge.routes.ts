import { randomUUID } from 'node:crypto';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { rebaseBranch, writeMergeRef } from '@forgelog/contracts/repo/merges/merge.operations.ts';
import {
  cancelAutoMerge,
  getMergeRef,
  mergeMergeRequest,
  rebaseMergeRequest,
} from '@forgelog/contracts/tracker/merge-requests/merge.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { json } from '@forgelog/service-kit/answer.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { tipsOf } from './branch-tips.collection.ts';
import { mergeCommandsFor, type Outcome } from './merge.commands.ts';
import { mergeRefJson, rebaseProgressJson } from './merge.view.ts';
import { mergeMessagesOf } from './merge-messages.ts';
import { requireMergeRequest } from './merge-request.access.ts';
import { type MergeRequest, mergeRequests } from './merge-requests.collection.ts';
import { mergeSettingsOf, squashOf } from './merge-settings.projection.ts';
import { mergeabilityFor } from './mergeability.ts';
import { isPassed, shownMergeRequests } from './shown-merge-requests.ts';

export function mergeRoutes(ports: ServicePorts): Implementation[] {
  const { readStore, operations } = ports;
  const { merge, setAutoMerge, cancelAutoMerge: cancel } = mergeCommandsFor(ports);
  const shown = shownMergeRequests(ports, mergeabilityFor(ports));

  const progress = rebaseProgressJson.renderer(ports);
  const mergeRef = mergeRefJson.renderer(ports);

  /** Whether to wait for the pipeline that is under way. @throws merge_not_allowed where it failed, or cannot succeed */
  async function waitsForPipeline(row: MergeRequest, caller: Principal): Promise<boolean> {
    const pipeline = await shown.headPipelineOf(row, caller);
    if (!pipeline || isPassed(pipeline, await mergeSettingsOf(readStore, row.projectId))) return false;
    if (!IS_UNDER_WAY.has(pipeline.status)) throw new Rejection('merge_not_allowed');
    return true;
  }

  /** @throws what a merge that was refused is answered */
  async function requireMerged(outcome: Outcome | undefined, row: MergeRequest): Promise<void> {
    if (!outcome || outcome.merged) return;
    if (outcome.reason === 'forbidden' || outcome.reason === 'no project')
      throw new Rejection('unauthorized');
    if (outcome.reason !== 'source moved') throw new Rejection('not_mergeable');
    const now = await readStore.get(mergeRequests, row.place);
    throw new Rejection('conflict', { message: differs(now?.sha ?? row.sha) });
  }

  return [
    implement(mergeMergeRequest, async ({ params, caller, project, metadata }) => {
      const row = await requireMergeRequest(readStore, project, params.merge_request_iid);
      const [found] = await shown.detailed([row], caller);
      const { mayMerge, projectId, iid, sha } = found!;
      if (!mayMerge) throw new Rejection('unauthorized');
      const waits = params.merge_when_pipeline_succeeds && (await waitsForPipeline(row, caller));
      const isAllThatLacks = waits && found!.detailedStatus === 'ci_must_pass';
      const detailedStatus = isAllThatLacks ? 'mergeable' : found!.detailedStatus;
      if (NOT_ALLOWED.has(detailedStatus)) throw new Rejection('merge_not_allowed');
      if (detailedStatus !== 'mergeable') throw new Rejection('not_mergeable');
      if (params.sha !== undefined && params.sha !== sha)
        throw new Rejection('conflict', { message: differs(sha) });
      const squash = squashOf(await mergeSettingsOf(readStore, projectId), params.squash ?? row.squash);
      const wanted = {
        ...{ projectId, iid, sha, squash },
        removeSourceBranch: params.should_remove_source_branch ?? row.removeSourceBranch,
      };
      const given = {
        mergeMessage: params.merge_commit_message || null,
        squashMessage: params.squash_commit_message || null,
      };
      if (waits) await setAutoMerge({ ...wanted, ...given }, caller, metadata);
      else {
        const messages = await mergeMessagesOf(ports, row, caller, given);
        await requireMerged(await merge({ ...wanted, ...messages }, caller, metadata), row);
      }
      return json(await shown.single(await requireMergeRequest(readStore, project, iid), caller));
    }),

    implement(cancelAutoMerge, async ({ params, caller, project, metadata }) => {
      const row = await requireMergeRequest(readStore, project, params.merge_request_iid);
      const mayCancel = row.authorId === caller.userId || (await shown.detailOf(row, caller)).mayMerge;
      if (!mayCancel) throw new Rejection('unauthorized');
      await cancel(row, metadata);
      return json(await shown.single(await requireMergeRequest(readStore, project, row.iid), caller));
    }),

    implement(rebaseMergeRequest, async ({ params, caller, project, metadata }) => {
      const row = await requireMergeRequest(readStore, project, params.merge_request_iid);
      if (row.state !== 'opened') throw new Rejection('merge_not_allowed');
      const { sourceProjectId, sourceBranch: branch, projectId, sha, target } = row;
      const targetSha = (await tipsOf(readStore, [target])).get(target);
      if (!targetSha) throw new Rejection('not_mergeable');
      const answer = await operations.call(
        rebaseBranch,
        {
          ...{ projectId: sourceProjectId, branch, sha, skipCi: params.skip_ci ?? false },
          onto: { projectId, sha: targetSha },
        },
        { principal: caller, operationId: randomUUID(), metadata },
      );
      if (!('refused' in answer)) return json(progress.one({}));
      switch (answer.refused) {
        case 'forbidden':
        case 'no project':
          throw new Rejection('forbidden', {});
        case 'branch moved':
          throw new Rejection('conflict', { message: 'The source branch has changed' });
        case 'conflict':
          throw new Rejection('conflict', {
            message: `Rebase failed: the commits conflict with the target branch in ${answer.conflicts.slice(0, 10).join(', ')}`,
          });
        case 'rule':
          throw new Rejection('unprocessable', { message: `Rebase failed: ${answer.message}` });
        case 'too many commits':
          throw new Rejection('unprocessable', { message: 'Rebase failed: there are too many commits' });
        case 'no branch':
        case 'no commit':
        case 'no target':
        case 'other storage':
          throw new Rejection('unprocessable', { message: 'Rebase failed: a branch is gone' });
        default:
          return answer satisfies never;
      }
    }),

    implement(getMergeRef, async ({ params, caller, project }) => {
      const row = await requireMergeRequest(readStore, project, params.merge_request_iid);
      const { projectId, iid, sha: sourceSha, target, state } = row;
      const targetSha = (await tipsOf(readStore, [target])).get(target);
      if (state !== 'opened' || !targetSha) throw notMergeable();
      const answer = await operations.call(
        writeMergeRef,
        { projectId, iid, sourceSha, targetSha },
        { principal: caller },
      );
      if ('refused' in answer) throw notMergeable();
      return json(mergeRef.one(answer));
    }),
  ];
}

/** A pipeline that waits for a person is not. */
const IS_UNDER_WAY: ReadonlySet<string> = new Set([
  'created',
  'waiting_for_resource',
  'preparing',
  'pending',
  'running',
  'scheduled',
]);
const NOT_ALLOWED: ReadonlySet<string> = new Set([
  'not_open',
  'draft_status',
  'discussions_not_resolved',
  'not_approved',
  'ci_must_pass',
]);
const differs = (sha: string) => `SHA does not match HEAD of source branch: ${sha}`;
const notMergeable = () => new Rejection('refused', { message: 'Merge request is not mergeable' });
