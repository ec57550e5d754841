import { cancelJob, eraseJob, playJob, retryJob } from '@forgelog/contracts/ci/jobs/job.api.ts';
import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import { type Answer, json } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { givenVariables } from '../pipelines/given-variables.ts';
import { isOwn, requireMayRun } from '../pipelines/pipeline.access.ts';
import { actOn, type PipelineAct } from '../pipelines/pipeline-acts.ts';
import { type PipelineRow, pipelines } from '../pipelines/pipelines.projection.ts';
import type { CiPorts } from '../ports.ts';
import { findJob } from './found-job.query.ts';
import { jobJson } from './job.view.ts';
import type { JobRow } from './jobs.collection.ts';
import { shownJobs } from './shown-jobs.query.ts';

type JobRequest = ApiRequest<typeof cancelJob>;

export function jobActRoutes(ports: CiPorts): Implementation[] {
  const { readStore, operations, ids } = ports;
  const view = jobJson.renderer(ports);
  const variables = givenVariables(ports);

  async function answerOf(project: ProjectGrant, jobId: number): Promise<Answer> {
    const job = await findJob(readStore, project, jobId);
    return json(view.one((await shownJobs(ports, project, [job]))[0]!));
  }

  /** The job and its pipeline, for callers who may act on its ref. */
  async function requireActor({
    project,
    params,
    caller,
  }: Pick<JobRequest, 'project' | 'params' | 'caller'>) {
    const job = await findJob(readStore, project, params.job_id);
    const pipeline = await readStore.get(pipelines, job.pipelineId);
    if (!pipeline) throw new Rejection('record_not_found');
    await requireMayRun(operations, pipeline, caller);
    return { job, pipeline };
  }

  const act = ({ metadata }: Pick<JobRequest, 'metadata'>, job: JobRow, command: PipelineAct) =>
    actOn(ports, job, command, metadata);

  return [
    implement(cancelJob, async (request) => {
      const { job } = await requireActor(request);
      await act(request, job, { type: 'CancelJob', jobId: job.id });
      return answerOf(request.project, job.id);
    }),

    implement(retryJob, async (request) => {
      const { job } = await requireActor(request);
      const newJobId = await ids.next('job');
      const { userId } = request.caller;
      await act(request, job, { type: 'RetryJob', jobId: job.id, newJobId, userId });
      return answerOf(request.project, newJobId);
    }),

    implement(playJob, async (request) => {
      const { job } = await requireActor(request);
      const given = (request.params.job_variables_attributes ?? []).map((one) => ({
        key: one!.key,
        type: 'env_var' as const,
        value: one!.value,
      }));
      const { userId } = request.caller;
      const newJobId = await ids.next('job');
      const sealedVariables = variables.seal(job, given);
      const play = { type: 'PlayJob', jobId: job.id, newJobId, userId, sealedVariables } as const;
      const { events } = await act(request, job, play);
      const isCopy = events.some(({ type }) => type === 'JobRetried');
      return answerOf(request.project, isCopy ? newJobId : job.id);
    }),

    implement(eraseJob, async (request) => {
      const { job, pipeline } = await requireActor(request);
      requireEraser(request, job, pipeline);
      await act(request, job, { type: 'EraseJob', jobId: job.id, userId: request.caller.userId });
      return answerOf(request.project, job.id);
    }),
  ];
}

/** Maintainers erase every job, others their own ones of refs that are not protected. */
function requireEraser(
  { project, caller }: Pick<JobRequest, 'project' | 'caller'>,
  job: JobRow,
  { isProtected }: PipelineRow,
): void {
  if (project.level >= AccessLevel.maintainer || (isOwn(job, caller) && !isProtected)) return;
  throw new Rejection('forbidden', {});
}
