import {
  findPipelineOfCommit,
  type PipelineFacts,
} from '@forgelog/contracts/ci/pipelines/pipeline.operations.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { describeMerge } from '@forgelog/contracts/repo/merges/merge.operations.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, eq } from '@forgelog/eventing/query.ts';
import type { JsonTemplate } from '@forgelog/service-kit/json-template.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { shownLabels } from '../labels/shown-labels.ts';
import { isSubscribed } from '../subscriptions/subscribed.ts';
import { tipsOf } from './branch-tips.collection.ts';
import {
  type DetailedMergeRequest,
  type MergeRequestDetail,
  type ShownMergeRequest,
  type SingleMergeRequest,
  singleMergeRequestJson,
} from './merge-request.view.ts';
import { type MergeRequest, mergeRequests } from './merge-requests.collection.ts';
import { type MergeSettings, mergeSettingsOf } from './merge-settings.projection.ts';
import type { MergeabilityOf } from './mergeability.ts';

const GUEST = 10;

/** Whether a pipeline does for a merge that waits for it. */
export const isPassed = (
  { status }: Pick<PipelineFacts, 'status'>,
  { takesSkippedPipeline }: Pick<MergeSettings, 'takesSkippedPipeline'>,
): boolean => status === 'success' || (takesSkippedPipeline && status === 'skipped');

/** Merge requests as answers show them. */
export function shownMergeRequests(ports: ServicePorts, mergeabilityOf: MergeabilityOf) {
  const { operations, readStore, directory } = ports;
  const single = singleMergeRequestJson.renderer(ports);

  async function shown(
    rows: readonly MergeRequest[],
    principal: Principal | null,
  ): Promise<ShownMergeRequest[]> {
    const mergeability = await mergeabilityOf(rows, principal);
    return rows.map((row) => {
      // A push to the source branch ends the waiting at once; the event that says so follows.
      const waitsForPipeline = row.state === 'opened' && row.autoMergeSha === row.sha;
      const mergeUserId = waitsForPipeline ? row.autoMergeById : row.mergedById;
      return { ...row, ...mergeability.get(row.place)!, waitsForPipeline, mergeUserId };
    });
  }

  /** The newest of its newest commit that the principal may see. @throws unavailable */
  async function headPipelineOf(
    { sourceProjectId: projectId, sha }: MergeRequest,
    principal: Principal | null,
  ): Promise<PipelineFacts | null> {
    return (await operations.call(findPipelineOfCommit, { projectId, sha }, { principal })).pipeline;
  }

  async function pipelineOf(row: MergeRequest, principal: Principal | null): Promise<PipelineFacts | null> {
    try {
      return await headPipelineOf(row, principal);
    } catch (error) {
      // A merge request is read while ci is away, and merged where its project does not wait for a pipeline.
      if (error instanceof Rejection && error.code === 'unavailable') return null;
      throw error;
    }
  }

  /** Where the project asks for it, the newest pipeline must have succeeded. A pipeline that nobody ran has not. */
  async function withPipeline(
    { projectId, detailedStatus }: ShownMergeRequest,
    pipeline: PipelineFacts | null,
  ): Promise<ShownMergeRequest['detailedStatus']> {
    if (detailedStatus !== 'mergeable') return detailedStatus;
    const settings = await mergeSettingsOf(readStore, projectId);
    return !settings.waitsForPipeline || (pipeline && isPassed(pipeline, settings))
      ? detailedStatus
      : 'ci_must_pass';
  }

  async function detailOf(
    row: Pick<MergeRequest, 'projectId' | 'sha' | 'startSha' | 'targetBranch'>,
    principal: Principal | null,
  ): Promise<MergeRequestDetail> {
    const { projectId, sha: sourceSha, startSha: targetSha, targetBranch } = row;
    const asked = { projectId, sourceSha, targetSha, targetBranch, divergedCommits: false, changes: true };
    const answer = await operations.call(describeMerge, asked, { principal });
    if ('refused' in answer) return { changesCount: null, baseSha: null, mayMerge: false };
    const { baseSha, mayMerge, changesCount, changesCountIsLowerBound } = answer;
    const count = changesCount === null ? null : `${changesCount}${changesCountIsLowerBound ? '+' : ''}`;
    return { baseSha, mayMerge, changesCount: count };
  }

  async function detailed(
    rows: readonly MergeRequest[],
    principal: Principal | null,
  ): Promise<DetailedMergeRequest[]> {
    const all = await shown(rows, principal);
    return Promise.all(
      all.map(async (row) => {
        const [detail, pipeline] = await Promise.all([detailOf(row, principal), pipelineOf(row, principal)]);
        return { ...row, ...detail, pipeline, detailedStatus: await withPipeline(row, pipeline) };
      }),
    );
  }

  /** How many commits of the target the source lacks now. */
  async function divergedCommits(row: MergeRequest, principal: Principal): Promise<number> {
    const { projectId, sha: sourceSha, target, targetBranch } = row;
    const targetSha = (await tipsOf(readStore, [target])).get(target);
    if (!targetSha) return 0;
    const asked = { projectId, sourceSha, targetSha, targetBranch, divergedCommits: true, changes: false };
    const answer = await operations.call(describeMerge, asked, { principal });
    return 'refused' in answer ? 0 : (answer.divergedCommits ?? 0);
  }

  /** Members have contributed before, and so has whoever had one merged. */
  async function isFirstContribution({ projectId, authorId }: MergeRequest): Promise<boolean> {
    const project = await directory.project(projectId);
    if (!project || (await directory.projectLevel(authorId, project)) > GUEST) return false;
    const merged = and(eq('projectId', projectId), eq('authorId', authorId), eq('state', 'merged'));
    return (await readStore.count(mergeRequests, { where: merged, atMost: 1 })) === 0;
  }

  async function singleRow(
    row: MergeRequest,
    principal: Principal,
    wanted: { divergedCommits?: boolean; rebaseInProgress?: boolean } = {},
  ): Promise<SingleMergeRequest> {
    const [detail] = await detailed([row], principal);
    return {
      ...detail!,
      subscribed: isSubscribed(row, principal),
      firstContribution: await isFirstContribution(row),
      divergedCommits: wanted.divergedCommits ? await divergedCommits(row, principal) : undefined,
      // Rebasing is over before its answer.
      rebaseInProgress: wanted.rebaseInProgress ? false : undefined,
    };
  }

  return {
    shown,
    detailed,
    detailOf,
    headPipelineOf,
    singleRow,
    /** One by itself. */
    single: async (...asked: Parameters<typeof singleRow>): Promise<JsonTemplate> =>
      single.one(await singleRow(...asked), {
        ...{ across: false, ...(await shownLabels(readStore, [asked[0]])) },
      }),
  };
}
