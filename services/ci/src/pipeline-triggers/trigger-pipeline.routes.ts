import { createHash } from 'node:crypto';
import {
  triggerPipeline,
  triggerPipelineOfRef,
} from '@forgelog/contracts/ci/pipeline-triggers/pipeline-trigger.api.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { type RawRecord, UploadedFile } from '@forgelog/contracts/params.ts';
import { actingUser } from '@forgelog/directory/acting-user.ts';
import { grantProject, parseIdOrPath } from '@forgelog/directory/authorizer.ts';
import type { DirectoryProject } from '@forgelog/directory/collections.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import { and, eq } from '@forgelog/eventing/query.ts';
import { type Answer, json } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { metadataOf, type Origin } from '@forgelog/service-kit/principal.ts';
import { CALLER_PARAMETERS } from '@forgelog/service-kit/raw-parameters.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { type JobRow, jobs } from '../jobs/jobs.collection.ts';
import { byJob } from '../objects/running-job.access.ts';
import { pipelineJson } from '../pipelines/pipeline.view.ts';
import type { NewPipeline } from '../pipelines/pipeline-creation.commands.ts';
import { pipelines } from '../pipelines/pipelines.projection.ts';
import type { CiPorts } from '../ports.ts';
import { jobTokens } from '../runners/job-token.ts';
import { pipelineTriggerDecider, pipelineTriggerStream } from './pipeline-trigger.decider.ts';
import { type PipelineTriggerRow, pipelineTriggers } from './pipeline-triggers.projection.ts';

/** What a token allows. */
interface Entitled extends Pick<NewPipeline, 'source' | 'parent' | 'metadata'> {
  userId: number;
  trigger: PipelineTriggerRow | null;
}

export function triggerPipelineRoutes(ports: CiPorts): Implementation[] {
  const { commands, commits, directory, pipelineCreation, readStore, clock, tokenGuesses } = ports;
  const view = pipelineJson.renderer(ports);
  const tokens = jobTokens(ports);

  async function byTrigger(token: string, projectId: number, origin: Origin): Promise<Entitled | undefined> {
    const tokenSha256 = createHash('sha256').update(token).digest('hex');
    const where = and(eq('tokenSha256', tokenSha256), eq('projectId', projectId));
    const [trigger] = await readStore.find(pipelineTriggers, { where, limit: 1 });
    if (!trigger) return undefined;
    const { ownerId: userId } = trigger;
    const metadata: EventMetadata = { ...metadataOf(null, origin), actorId: userId };
    return { source: 'trigger', userId, trigger, metadata };
  }

  async function byRunningJob(token: string, origin: Origin): Promise<Entitled | undefined> {
    const jobId = tokens.jobOf(token);
    const job: JobRow | undefined = jobId === undefined ? undefined : await readStore.get(jobs, jobId);
    if (job?.status !== 'running' || job.actorId === null) return undefined;
    const { id, projectId, pipelineId, actorId: userId } = job;
    const parent = { projectId, pipelineId, jobId: id };
    return { source: 'pipeline', userId, trigger: null, parent, metadata: byJob(origin, id) };
  }

  async function projectNamed(idOrPath: string): Promise<DirectoryProject | undefined> {
    const parsed = parseIdOrPath(idOrPath);
    return typeof parsed === 'number' ? directory.project(parsed) : directory.projectByPath(parsed);
  }

  async function run({ params, origin, given }: ApiRequest<typeof triggerPipeline>): Promise<Answer> {
    const { id, token, ref, variables } = params;
    const project = await projectNamed(id);
    const entitled =
      project && ((await byTrigger(token, project.id, origin)) ?? (await byRunningJob(token, origin)));
    // The token of a job that has ended is no guess.
    if (!entitled && tokens.jobOf(token) === undefined) tokenGuesses.wrong(token, origin);
    if (entitled?.trigger) tokenGuesses.right(`trigger ${entitled.trigger.id}`, origin);
    const user = entitled && (await actingUser(directory, entitled.userId));
    const grant = user && (await grantProject(project!, user, directory));
    // Whoever has no token of the project does not learn whether it exists.
    if (!entitled || !user || !grant) throw new Rejection('nothing_found');
    const { source, parent = null, metadata, trigger } = entitled;
    const { pipelineId } = await pipelineCreation.create({
      ...{ projectId: project!.id, user, source, ref, parent, invalid: 'refused' },
      ...(metadata && { metadata }),
      ...(trigger && { triggerShortToken: trigger.shortToken }),
      triggerPayload: payloadOf(given),
      variables: (variables ?? []).map(({ key, value, variable_type: type }) => ({ key, value, type })),
    });
    if (trigger) await recordUse(trigger.id, project!.id, pipelineId, metadata!);
    const row = (await readStore.get(pipelines, pipelineId))!;
    const commit = (await commits.of(grant, [row.sha])).get(row.sha);
    return json(view.one({ ...row, committedAt: commit?.committer.date ?? null }));
  }

  async function recordUse(
    pipelineTriggerId: number,
    projectId: number,
    pipelineId: number,
    metadata: EventMetadata,
  ): Promise<void> {
    const now = clock().toISOString();
    const command = { type: 'UsePipelineTrigger', pipelineTriggerId, projectId, pipelineId, now } as const;
    await commands
      .handle(pipelineTriggerDecider, pipelineTriggerStream(pipelineTriggerId), command, metadata)
      .catch((error) => {
        // Deleted meanwhile: the pipeline runs nevertheless.
        if (!(error instanceof Rejection)) throw error;
      });
  }

  return [implement(triggerPipeline, run), implement(triggerPipelineOfRef, run)];
}

const HIDDEN = new Set<string>(['token', ...CALLER_PARAMETERS]);
const LONGEST_PAYLOAD = 256 * 1024;

/** All that came, for jobs to read as a file: triggers are called by webhooks of other servers. */
function payloadOf(given: RawRecord): string {
  const shown = Object.entries(given).filter(([name]) => !HIDDEN.has(name));
  const payload = JSON.stringify(Object.fromEntries(shown), (_name, value) =>
    value instanceof UploadedFile ? undefined : value,
  );
  if (payload.length > LONGEST_PAYLOAD)
    throw new Rejection('too_large', {
      what: `the payload of a trigger is limited to ${LONGEST_PAYLOAD} characters`,
    });
  return payload;
}
