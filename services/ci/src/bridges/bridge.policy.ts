import { JobCreated, JobQueued } from '@forgelog/contracts/ci/jobs/job.events.ts';
import type { FailureReason } from '@forgelog/contracts/ci/jobs/job.fields.ts';
import { PipelineStatusChanged } from '@forgelog/contracts/ci/pipelines/pipeline.events.ts';
import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { EventOf } from '@forgelog/contracts/event.ts';
import { actingUser } from '@forgelog/directory/acting-user.ts';
import { grantProject } from '@forgelog/directory/authorizer.ts';
import { definePolicy } from '@forgelog/eventing/define-policy.ts';
import { type EventMetadata, initiatorOf } from '@forgelog/eventing/event.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import { type JobRow, jobs } from '../jobs/jobs.collection.ts';
import { holdsItsResource } from '../jobs/resource-holder.query.ts';
import { loadDefinitions } from '../pipelines/definitions-object.ts';
import { isPassing } from '../pipelines/passing-failure.ts';
import { mayRun } from '../pipelines/pipeline.access.ts';
import { pipelineDecider } from '../pipelines/pipeline.decider.ts';
import { actOn, cancelWithChildren, type PipelineAct } from '../pipelines/pipeline-acts.ts';
import { pipelineStream } from '../pipelines/pipeline-state.ts';
import { isChild, type PipelineRow, pipelines } from '../pipelines/pipelines.projection.ts';
import type { CiPorts } from '../ports.ts';
import { BridgeFailure, downstreamPipelines } from './downstream.commands.ts';

/** What fails longer than this holds up other bridges no more. */
const MOST_WAIT_MS = 15 * 60_000;

export function bridgePolicies(ports: CiPorts): Policy[] {
  const { clock, commands, directory, log, objects, operations, readStore } = ports;
  const downstreams = downstreamPipelines(ports);

  async function actOnJob(job: JobRow, act: PipelineAct, metadata: EventMetadata): Promise<void> {
    await actOn(ports, job, act, metadata).catch((error: unknown) => {
      // It was canceled or deleted at the same time.
      if (!(error instanceof Rejection) || isPassing(error)) throw error;
    });
  }

  const end = (job: JobRow, failureReason: FailureReason | null, metadata: EventMetadata) =>
    actOnJob(
      job,
      {
        ...{ type: 'CompleteJob', jobId: job.id, exitCode: null, coverage: null, newJobId: null },
        ...{ outcome: failureReason === null ? 'success' : 'failed', failureReason },
      },
      metadata,
    );

  /** Ends a bridge like the pipeline that it waits for. */
  async function mirror(job: JobRow, downstream: PipelineRow, metadata: EventMetadata): Promise<void> {
    const { status, hasYamlErrors } = downstream;
    if (status === 'success') return end(job, null, metadata);
    if (status === 'canceled') return actOnJob(job, { type: 'CancelJob', jobId: job.id }, metadata);
    if (status !== 'failed' && status !== 'skipped') return;
    return end(job, hasYamlErrors ? 'downstream_pipeline_creation_failed' : 'unknown_failure', metadata);
  }

  async function trigger(job: JobRow, causeId: string, metadata: EventMetadata): Promise<void> {
    const pipeline = await readStore.get(pipelines, job.pipelineId);
    if (!pipeline) return;
    const { definitions: sha256, projectId, id: pipelineId } = pipeline;
    const definitions = sha256 && (await loadDefinitions(objects, { projectId, pipelineId }, sha256));
    const planned = definitions ? definitions.jobs.get(job.name) : undefined;
    if (!definitions || !planned) throw new BridgeFailure('data_integrity_failure');
    const waits = planned.trigger?.strategy === 'depend';
    // Before the downstream pipeline, whose end finds the bridge running.
    if (waits && job.status === 'pending')
      await actOnJob(job, { type: 'StartJob', jobId: job.id, runnerId: null }, metadata);
    const downstream = await downstreams.start({ job, pipeline, planned, definitions }, causeId, metadata);
    if (await sharesFate(job, downstream, metadata)) return;
    if (downstream.hasYamlErrors) throw new BridgeFailure('downstream_pipeline_creation_failed');
    if (waits) await mirror(job, downstream, metadata);
    else await end(job, null, metadata);
  }

  /** A cancel or a deletion at this moment did not see the child. */
  async function sharesFate(job: JobRow, downstream: PipelineRow, metadata: EventMetadata): Promise<boolean> {
    if (!isChild(downstream)) return false;
    const { state } = await commands.load(pipelineDecider, pipelineStream(job));
    if (state.existence !== 'present') {
      await actOn(ports, downstream, { type: 'DeletePipeline' }, metadata);
      return true;
    }
    const isCanceled = state.jobs.some(({ id, status }) => id === job.id && status === 'canceled');
    if (isCanceled) await cancelWithChildren(ports, downstream, metadata);
    return isCanceled;
  }

  async function mayReopen(bridge: JobRow, userId: number | null): Promise<boolean> {
    const user = userId === null ? undefined : await actingUser(directory, userId);
    const project = user && (await directory.project(bridge.projectId));
    const grant = project && (await grantProject(project, user, directory));
    const pipeline = await readStore.get(pipelines, bridge.pipelineId);
    if (!user || !pipeline || !grant?.can('builds') || grant.level < AccessLevel.developer) return false;
    return mayRun(operations, pipeline, user);
  }

  const mayWait = ({ queuedAt }: JobRow) =>
    queuedAt !== null && clock().getTime() - Date.parse(queuedAt) <= MOST_WAIT_MS;

  const start = definePolicy({
    name: 'start-downstream-pipelines',
    handles: [JobCreated, JobQueued],
    actsAs: 'system',
    async react({ id, type, data }, { metadata, signal }) {
      if (type === 'JobCreated' && (data.kind !== 'bridge' || data.status !== 'pending')) return;
      const job = await readStore.get(jobs, data.jobId);
      if (job?.kind !== 'bridge' || (job.status !== 'pending' && job.status !== 'running')) return;
      if (job.status === 'pending' && !(await holdsItsResource(readStore, job)))
        return actOnJob(job, { type: 'AwaitResource', jobId: job.id }, metadata);
      try {
        await trigger(job, id, metadata);
      } catch (error) {
        if (signal.aborted || (isPassing(error) && mayWait(job))) throw error;
        const isFailure = error instanceof BridgeFailure;
        if (!isFailure || error.reason === 'data_integrity_failure')
          log.error({ err: error, jobId: job.id }, 'a bridge started no pipeline');
        await end(job, isFailure ? error.reason : 'downstream_pipeline_creation_failed', metadata);
      }
    },
  });

  const follow = definePolicy({
    name: 'mirror-downstream-pipelines',
    handles: [PipelineStatusChanged],
    actsAs: 'system',
    async react(event, { metadata }) {
      const downstream = await readStore.get(pipelines, event.data.pipelineId);
      if (!downstream || downstream.parentJobId === null) return;
      const bridge = await readStore.get(jobs, downstream.parentJobId);
      // A job that triggered it by its token ends by itself.
      if (bridge?.kind !== 'bridge') return;
      if (runsAgain(event, bridge) && (await mayReopen(bridge, initiatorOf(event.metadata).actorId)))
        await actOnJob(bridge, { type: 'ReopenBridge', jobId: bridge.id }, metadata);
      const job = await readStore.get(jobs, bridge.id);
      if (job?.status === 'running') await mirror(job, downstream, metadata);
    },
  });

  return [start, follow];
}

const ENDED: readonly (string | undefined)[] = ['success', 'failed', 'canceled', 'skipped'];

/** Whether this change of the pipeline comes after the end of the bridge, and ends nothing: a retry, or a played job. */
function runsAgain(
  {
    time,
    data: { changes, previous },
  }: { time: string; data: EventOf<typeof PipelineStatusChanged>['data'] },
  { finishedAt }: JobRow,
): boolean {
  return (
    finishedAt !== null &&
    finishedAt <= time &&
    ENDED.includes(previous?.status) &&
    !ENDED.includes(changes.status)
  );
}
