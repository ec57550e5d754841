import {
  DeploymentCreated,
  DeploymentUpdated,
} from '@forgelog/contracts/ci/deployments/deployment.events.ts';
import { EnvironmentStopped } from '@forgelog/contracts/ci/environments/environment.events.ts';
import { JobCanceled, JobFailed, JobStarted, JobSucceeded } from '@forgelog/contracts/ci/jobs/job.events.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { definePolicy } from '@forgelog/eventing/define-policy.ts';
import { type EventMetadata, initiatorOf } from '@forgelog/eventing/event.ts';
import { operationEventId } from '@forgelog/eventing/event-id.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { environmentDecider, environmentsStream } from '../environments/environment.decider.ts';
import { environments } from '../environments/environments.projection.ts';
import { jobs } from '../jobs/jobs.collection.ts';
import { pipelineDecider } from '../pipelines/pipeline.decider.ts';
import { type Job, type PipelinePlace, pipelineStream } from '../pipelines/pipeline-state.ts';
import { pipelines } from '../pipelines/pipelines.projection.ts';
import { deploymentCommands } from './deployment.commands.ts';
import { deployments } from './deployments.projection.ts';
import { environmentUrl } from './environment-url.ts';

const ENDED = { JobSucceeded: 'success', JobFailed: 'failed', JobCanceled: 'canceled' } as const;

export function deploymentPolicies(ports: ServicePorts): Policy[] {
  const { commands, readStore, ids, clock, log } = ports;
  const deployment = deploymentCommands(ports);

  async function jobsOf(place: PipelinePlace): Promise<readonly Job[]> {
    const { state } = await commands.load(pipelineDecider, pipelineStream(place));
    return state.existence === 'present' ? state.jobs : [];
  }

  async function startDeployment(job: Job, pipelineId: number, eventId: string, metadata: EventMetadata) {
    const pipeline = await readStore.get(pipelines, pipelineId);
    if (!pipeline) return;
    const { projectId, iid: pipelineIid, ref, refKind, sha } = pipeline;
    const environmentId = await deployment.ensureEnvironment(
      projectId,
      job.facts.environment!.name,
      metadata,
    );
    await deployment.create(
      {
        ...{ projectId, environmentId, jobId: job.id, pipelineIid, userId: job.userId },
        ...{ ref, isTag: refKind === 'tag', sha, status: 'running' },
      },
      metadata,
      operationEventId(eventId, 'deployment', 0),
    );
  }

  async function stopEnvironment(projectId: number, name: string, metadata: EventMetadata) {
    const environment = await deployment.environmentNamed(projectId, name);
    if (!environment) return;
    const command = { type: 'StopEnvironment', projectId, environmentId: environment.id } as const;
    await commands.handle(environmentDecider, environmentsStream(projectId), command, metadata);
  }

  const ofJobs = definePolicy({
    name: 'deploy-by-jobs',
    handles: [JobStarted, JobSucceeded, JobFailed, JobCanceled],
    actsAs: 'system',
    async react({ id, type, data: { jobId, pipelineId, projectId, iid } }, { metadata }) {
      const isDeploying = (await readStore.get(jobs, jobId))?.environment != null;
      if (!isDeploying) return;
      const job = (await jobsOf({ projectId, iid })).find((one) => one.id === jobId);
      const environment = job?.facts.environment;
      if (!job || !environment) return;
      try {
        if (environment.action === 'start') {
          if (type === 'JobStarted') return await startDeployment(job, pipelineId, id, metadata);
          const [row] = await readStore.find(deployments, { where: eq('jobId', jobId), limit: 1 });
          if (row) await deployment.move(row, ENDED[type], metadata, { byJob: true });
        } else if (environment.action === 'stop' && type === 'JobSucceeded')
          await stopEnvironment(projectId, environment.name, metadata);
      } catch (error) {
        // The name cannot be an environment's, or the environment is gone: a retry would end in the same way.
        if (!(error instanceof Rejection) || error.status >= 500) throw error;
        log.warn({ err: error, jobId, projectId }, 'a job deploys to no environment');
      }
    },
  });

  const ofDeployments = definePolicy({
    name: 'environments-of-deployments',
    handles: [DeploymentCreated, DeploymentUpdated],
    actsAs: 'system',
    async react({ time, data: { deploymentId, projectId, environmentId } }, { metadata }) {
      const row = await readStore.get(deployments, deploymentId);
      if (row?.status !== 'success') return;
      const job = row.jobId === null ? undefined : await readStore.get(jobs, row.jobId);
      const pipeline = job && (await readStore.get(pipelines, job.pipelineId));
      const facts = job && (await jobsOf(job)).find(({ id }) => id === job.id)?.facts.environment;
      const autoStopIn = facts?.autoStopIn ?? null;
      const autoStopAt =
        autoStopIn === null ? null : new Date(Date.parse(time) + autoStopIn * 1000).toISOString();
      const stopJob = facts?.onStop ?? null;
      const externalUrl = job && pipeline ? await environmentUrl(ports, job, pipeline) : null;
      await commands.handle(
        environmentDecider,
        environmentsStream(projectId),
        {
          type: 'RecordDeployment',
          ...{ projectId, environmentId, deploymentId, externalUrl, autoStopAt, stopJob },
          stopPipelineIid: stopJob === null ? null : row.pipelineIid,
        },
        metadata,
      );
    },
  });

  const ofStops = definePolicy({
    name: 'play-stop-jobs',
    handles: [EnvironmentStopped],
    actsAs: 'actor',
    async react(event, { metadata }) {
      const { environmentId, projectId } = event.data;
      const environment = await readStore.get(environments, environmentId);
      if (environment?.state !== 'stopped' || environment.stopPipelineIid === null) return;
      const place = { projectId, iid: environment.stopPipelineIid };
      const job = (await jobsOf(place)).findLast(({ facts }) => facts.name === environment.stopJob);
      const userId = initiatorOf(event.metadata).actorId ?? job?.userId ?? null;
      // One that ran has stopped it; one that waits for other jobs cannot yet.
      if (job?.status !== 'manual' || userId === null) return;
      const now = clock().toISOString();
      const command = {
        type: 'PlayJob',
        ...place,
        jobId: job.id,
        userId,
        now,
        sealedVariables: null,
      } as const;
      const newJobId = await ids.next('job');
      await commands.handle(pipelineDecider, pipelineStream(place), { ...command, newJobId }, metadata);
    },
  });

  return [ofJobs, ofDeployments, ofStops];
}
