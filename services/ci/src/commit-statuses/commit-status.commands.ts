import { Rejection } from '@forgelog/contracts/errors.ts';
import { describeRef } from '@forgelog/contracts/repo/repositories/repository-source.operations.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import { KeyedQueue } from '@forgelog/eventing/keyed-queue.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { createProjectNumbers } from '@forgelog/service-kit/project-numbers.ts';
import { DEFAULT_CONFIG_PATH } from '../configuration/pipeline-facts.ts';
import type { StatusReport } from '../pipelines/external-status.ts';
import { requireMayRun } from '../pipelines/pipeline.access.ts';
import { type CreatePipeline, pipelineDecider } from '../pipelines/pipeline.decider.ts';
import { actOn } from '../pipelines/pipeline-acts.ts';
import { type PipelinePlace, type PipelineState, pipelineStream } from '../pipelines/pipeline-state.ts';
import { isChild, newestPipeline, type PipelineRow, pipelines } from '../pipelines/pipelines.projection.ts';
import type { CiPorts } from '../ports.ts';

export interface ReportedStatus {
  projectId: number;
  sha: string;
  caller: Principal;
  metadata: EventMetadata;
  /** A branch or tag without its prefix. */
  ref?: string | undefined;
  /** A branch that holds the commit, for a pipeline that is made. */
  branch: string | null;
  pipelineId?: number | undefined;
  report: Omit<StatusReport, 'newJobId' | 'userId'>;
}

/** Reports a status to the newest pipeline of the commit, or to one that is made for it. */
export function statusReporting(ports: CiPorts) {
  const { commands, clock, ids, operations, readStore } = ports;
  const numbers = createProjectNumbers(readStore, pipelines, 'pipeline');
  const commits = new KeyedQueue();

  async function create(reported: ReportedStatus, report: StatusReport): Promise<PipelineState> {
    const { projectId, sha, caller, metadata, branch } = reported;
    const ref = reported.ref ?? branch;
    const described =
      ref === null
        ? undefined
        : await operations.call(describeRef, { projectId, ref, sha }, { principal: caller });
    if (!described || 'refused' in described)
      throw new Rejection('not_found', { what: 'References for commit' });
    if (!described.mayRun) throw new Rejection('forbidden', {});
    const facts: Omit<CreatePipeline, 'iid'> = {
      ...{ type: 'CreatePipeline', source: 'external' as const },
      ...{ projectId, sha, report, userId: caller.userId, ref: described.ref, refKind: described.kind },
      ...{ isProtected: described.isProtected, pipelineId: await ids.next('pipeline'), beforeSha: null },
      ...{ configPath: DEFAULT_CONFIG_PATH, yamlErrors: null, stages: ['external'] },
      ...{ sealedVariables: null, definitions: null, parent: null, causeId: null, jobs: [] },
    };
    return numbers.withNext(projectId, async (iid) => {
      // After a conflict: another process may have made one.
      const before = await newestPipeline(readStore, reported);
      if (before) return bringOn(before, report, metadata);
      const place = { projectId, iid };
      const stream = pipelineStream(place);
      const command = { ...facts, ...place, now: clock().toISOString() };
      return (await commands.handle(pipelineDecider, stream, command, metadata, { mustBeNew: true })).state;
    });
  }

  const bringOn = async (pipeline: PipelinePlace, report: StatusReport, metadata: EventMetadata) =>
    (await actOn(ports, pipeline, { type: 'ReportStatus', ...report }, metadata)).state;

  return {
    /** Returns the id of the job. @throws 400 for a status that does not follow, 403 on a protected ref of others, 404 */
    report: (reported: ReportedStatus): Promise<number> =>
      commits.run(`${reported.projectId} ${reported.sha}`, async () => {
        const { caller, metadata } = reported;
        const pipeline = await findPipeline(readStore, reported);
        const newJobId = await ids.next('job');
        const report = { ...reported.report, newJobId, userId: caller.userId };
        if (!pipeline) return jobOf(await create(reported, report), report);
        await requireMayRun(operations, pipeline, caller);
        return jobOf(await bringOn(pipeline, report, metadata), report);
      }),
  };
}

function jobOf(state: PipelineState, { name }: StatusReport): number {
  const jobs = state.existence === 'present' ? state.jobs : [];
  const job = jobs.findLast(({ facts }) => facts.kind === 'external' && facts.name === name);
  if (!job) throw new Rejection('record_not_found');
  return job.id;
}

type Wanted = Pick<ReportedStatus, 'projectId' | 'sha' | 'ref' | 'pipelineId'>;

async function findPipeline(readStore: ReadStore, wanted: Wanted): Promise<PipelineRow | undefined> {
  const { projectId, sha, ref, pipelineId } = wanted;
  if (pipelineId === undefined) return newestPipeline(readStore, wanted);
  const named = await readStore.get(pipelines, pipelineId);
  const fits =
    named?.projectId === projectId &&
    named.sha === sha &&
    !isChild(named) &&
    (ref === undefined || named.ref === ref);
  if (!fits) throw new Rejection('not_found', { what: 'Pipeline for pipeline_id, sha and ref' });
  return named;
}
