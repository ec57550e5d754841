import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { jobsProjection } from '../jobs/jobs.projection.ts';
import { type PipelineCommand, pipelineDecider } from '../pipelines/pipeline.decider.ts';
import { type JobFacts, pipelineStream } from '../pipelines/pipeline-state.ts';
import { pipelinesProjection } from '../pipelines/pipelines.projection.ts';
import { jobTokens } from '../runners/job-token.ts';
import type { BareCommand } from './acting-pipeline.ts';
import { createPipeline, jobFacts } from './sample-pipeline.ts';

/** Read models of pipelines and jobs, without their endpoints. */
export const pipelineRecords = defineSlice<ServicePorts>({
  projections: [pipelinesProjection, jobsProjection],
});

type Given = Parameters<typeof createPipeline>[1];

/** A pipeline in the log of running slices, whose commands act through the ports. */
export async function startPipeline(
  ports: ServicePorts,
  given: Given = {},
  facts: readonly JobFacts[] = [jobFacts('build')],
) {
  const create = createPipeline(facts, given);
  const place = { projectId: create.projectId, iid: create.iid };
  const tokens = jobTokens(ports);
  const handle = (command: PipelineCommand) =>
    commands.handle(pipelineDecider, pipelineStream(place), command, SYSTEM_METADATA);
  const { commands } = ports;
  await handle(create);

  const act = (command: BareCommand) =>
    handle({ ...command, ...place, now: ports.clock().toISOString() } as PipelineCommand);
  return {
    act,
    /** Starts the job, and returns its token. */
    async run(jobId: number): Promise<string> {
      await act({ type: 'StartJob', jobId, runnerId: 5 });
      return tokens.of(jobId);
    },
    end: (jobId: number, outcome: 'success' | 'failed' = 'success') =>
      act({
        ...{ type: 'CompleteJob', jobId, outcome, exitCode: null, coverage: null, newJobId: null },
        failureReason: outcome === 'failed' ? 'script_failure' : null,
      }),
  };
}
