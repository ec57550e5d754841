import type { JobResponse } from '@forgelog/contracts/ci/runners/job-response.views.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { actingUser } from '@forgelog/directory/acting-user.ts';
import { ConflictError } from '@forgelog/eventing/command-handler.ts';
import { type EventMetadata, SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { unavailability } from '@forgelog/service-kit/unavailable.ts';
import { jobs } from '../jobs/jobs.collection.ts';
import { holdsItsResource } from '../jobs/resource-holder.query.ts';
import { loadDefinitions } from '../pipelines/definitions-object.ts';
import { type PipelineCommand, pipelineDecider } from '../pipelines/pipeline.decider.ts';
import { pipelineStream } from '../pipelines/pipeline-state.ts';
import { pipelines } from '../pipelines/pipelines.projection.ts';
import type { CiPorts } from '../ports.ts';
import { projectCiSettings } from '../project-settings/project-settings.projection.ts';
import { jobTokens } from '../runners/job-token.ts';
import type { RunnerRow } from '../runners/runners.projection.ts';
import { jobResponses } from './job-response.ts';
import type { QueuedJob } from './lane-line.ts';
import { Undeliverable } from './undeliverable.ts';

/** Starts the next job for a runner, and returns what it needs; undefined if there is none. */
export function handingOut(ports: CiPorts) {
  const { commands, directory, jobQueue: queue, objects, readStore, clock, log } = ports;
  const tokens = jobTokens(ports);
  const responseOf = jobResponses(ports);

  const handle = (job: QueuedJob, command: PipelineCommand, metadata: EventMetadata) =>
    commands.handle(pipelineDecider, pipelineStream(job), command, metadata);

  /** @throws Undeliverable, and what makes the answer impossible for the moment */
  async function prepare(queued: QueuedJob, runner: RunnerRow): Promise<JobResponse | undefined> {
    const job = await readStore.get(jobs, queued.id);
    const pipeline = await readStore.get(pipelines, queued.pipelineId);
    const project = await directory.project(queued.projectId);
    if (job?.status !== 'pending' || !pipeline || !project) return undefined;
    if (!(await holdsItsResource(readStore, job))) {
      const { projectId, iid, id: jobId } = job;
      const now = clock().toISOString();
      await handle(queued, { type: 'AwaitResource', projectId, iid, jobId, now }, SYSTEM_METADATA);
      return undefined;
    }
    const principal =
      job.actorId === null
        ? undefined
        : await actingUser(directory, job.actorId, {
            scopes: ['api'],
            credential: { kind: 'job_token', id: job.id },
          });
    if (!principal) throw new Undeliverable('user_blocked', 'its user is blocked or deleted');
    if (pipeline.definitions === null)
      throw new Undeliverable('data_integrity_failure', 'it has no definition');
    const place = { projectId: job.projectId, pipelineId: job.pipelineId };
    const definitions = await loadDefinitions(objects, place, pipeline.definitions);
    const planned = definitions.jobs.get(job.name);
    if (!planned) throw new Undeliverable('data_integrity_failure', 'its definition is missing');
    return responseOf({
      ...{ job, planned, definitions, pipeline, project, runner },
      token: tokens.of(job.id),
      startedAt: clock().toISOString(),
      settings: await projectCiSettings(readStore, project.id),
      principal,
    });
  }

  async function drop(job: QueuedJob, error: unknown): Promise<void> {
    const failureReason = error instanceof Undeliverable ? error.reason : 'data_integrity_failure';
    log.error({ err: error, jobId: job.id }, 'a job cannot be handed out, and fails');
    const { projectId, iid, id: jobId } = job;
    const now = clock().toISOString();
    const failed = { type: 'DropJob', projectId, iid, jobId, now, from: 'pending', newJobId: null } as const;
    await handle(job, { ...failed, failureReason }, SYSTEM_METADATA);
  }

  /** Whether the runner has the job now; somebody else may have been faster, or nobody need run it any more. */
  async function start(job: QueuedJob, runnerId: number, metadata: EventMetadata): Promise<boolean> {
    const { projectId, iid, id: jobId } = job;
    const now = clock().toISOString();
    try {
      await handle(job, { type: 'StartJob', projectId, iid, jobId, runnerId, now }, metadata);
      return true;
    } catch (error) {
      if (error instanceof Rejection && ['conflict', 'record_not_found'].includes(error.code)) return false;
      queue.putBack(job);
      if (error instanceof ConflictError) return false;
      throw error;
    }
  }

  async function giveBack(job: QueuedJob, runnerId: number, metadata: EventMetadata): Promise<void> {
    const { projectId, iid, id: jobId } = job;
    const command = { type: 'ReturnJob', projectId, iid, jobId, runnerId } as const;
    await handle(job, { ...command, now: clock().toISOString() }, metadata).catch((error: unknown) =>
      // It fails by itself after some time without news.
      log.warn({ err: error, jobId }, 'a job whose runner left could not be given back'),
    );
  }

  /** @param signal aborts where the runner leaves before it has the whole answer */
  return async (
    runner: RunnerRow,
    { metadata, signal }: { metadata: EventMetadata; signal: AbortSignal },
  ): Promise<JobResponse | undefined> => {
    for (;;) {
      const job = await queue.take(runner);
      if (!job) return undefined;
      try {
        const response = await prepare(job, runner);
        if (!response || !(await start(job, runner.id, metadata))) continue;
        const leave = () => giveBack(job, runner.id, metadata);
        if (!signal.aborted) {
          signal.addEventListener('abort', leave, { once: true });
          return response;
        }
        await leave();
        return undefined;
      } catch (error) {
        if (unavailability(error) !== undefined || error instanceof Rejection) {
          queue.putBack(job);
          throw error;
        }
        await drop(job, error);
      }
    }
  };
}
