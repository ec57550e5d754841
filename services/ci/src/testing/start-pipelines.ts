import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import type { Slice } from '@forgelog/service-kit/slice.ts';
import { on, type StreamedEvent } from '@forgelog/testing/sample-events.ts';
import { team } from '@forgelog/testing/sample-team.ts';
import { jobSlice } from '../jobs/job.slice.ts';
import { type CreatePipeline, pipelineDecider } from '../pipelines/pipeline.decider.ts';
import { pipelineSlice } from '../pipelines/pipeline.slice.ts';
import { actOn, type PipelineAct } from '../pipelines/pipeline-acts.ts';
import { type JobFacts, pipelineStream } from '../pipelines/pipeline-state.ts';
import type { CiPorts } from '../ports.ts';
import { projectSettingsSlice } from '../project-settings/project-settings.slice.ts';
import { createPipeline } from './sample-pipeline.ts';
import type { SampleRepository } from './sample-repositories.slice.ts';
import { startCiSlices } from './start-ci-slices.ts';

/** A change of attributes, and of settings among them. */
export const projectUpdated = (projectId: number, changes: object): StreamedEvent =>
  on(`project-${projectId}`, { type: 'ProjectUpdated', data: { projectId, changes, previous: null } });

export const COMMIT = 'a'.repeat(40);

/** The slices of pipelines and jobs with project 7, whose only commit is `COMMIT`. Jobs are numbered from 1. */
export async function startPipelines({
  given = [],
  repository = {},
  slices = [],
  clock = () => new Date(),
}: {
  given?: readonly StreamedEvent[];
  repository?: SampleRepository;
  slices?: readonly Slice<CiPorts>[];
  clock?: () => Date;
} = {}) {
  const own = [projectSettingsSlice, pipelineSlice, jobSlice, ...slices];
  const repositories = { 7: { commits: [COMMIT], ...repository } };
  const running = await startCiSlices(own, repositories, [...team, ...given], { clock });
  const { commands, ids } = running.ports;
  let made = 0;

  /** Creates a pipeline of project 7 by the side of the API. */
  async function create(facts: readonly JobFacts[], more: Partial<CreatePipeline> = {}) {
    const iid = ++made;
    const now = clock().toISOString();
    const jobs = [];
    for (const one of facts) jobs.push({ jobId: await ids.next('job'), facts: one });
    const command = createPipeline(facts, { pipelineId: iid, iid, jobs, now, ...more });
    await commands.handle(pipelineDecider, pipelineStream(command), command, SYSTEM_METADATA);
    return { id: iid, act: (act: PipelineAct) => actOn({ commands, clock }, command, act, SYSTEM_METADATA) };
  }

  return { ...running, create };
}

export const passed = {
  type: 'CompleteJob',
  outcome: 'success',
  failureReason: null,
  exitCode: 0,
  coverage: null,
  newJobId: null,
} as const;
export const failed = { ...passed, outcome: 'failed', failureReason: 'script_failure', exitCode: 1 } as const;
