import { describeCommits } from '@forgelog/contracts/repo/commits/commit.operations.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { implementOperation } from '@forgelog/service-kit/operations.ts';
import { defineSlice, type Slice } from '@forgelog/service-kit/slice.ts';
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
const ann = { name: 'Ann', email: 'ann@example.com', date: '2029-12-31T12:00:00.000Z' };

/** The slices of pipelines and jobs with project 7, whose only commit is `COMMIT`. Jobs are numbered from 1. */
export async function startPipelines({
  given = [],
  repository = {},
  slices = [],
}: {
  given?: readonly StreamedEvent[];
  repository?: SampleRepository;
  slices?: readonly Slice<CiPorts>[];
} = {}) {
  const asked: string[][] = [];
  const commits = defineSlice<ServicePorts>({
    operations: [
      () => [
        implementOperation(describeCommits, async ({ request }) => {
          asked.push([...request.shas]);
          return {
            commits: request.shas.map((id) =>
              id === COMMIT
                ? { id, parentIds: [], title: 'Begin', message: 'Begin\n', author: ann, committer: ann }
                : null,
            ),
          };
        }),
      ],
    ],
  });
  const own = [projectSettingsSlice, pipelineSlice, jobSlice, ...slices];
  const running = await startCiSlices(own, { 7: repository }, [...team, ...given], [commits]);
  const { commands, ids } = running.ports;
  let made = 0;
  const clock = running.ports.clock;

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

  return { ...running, create, asked };
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
