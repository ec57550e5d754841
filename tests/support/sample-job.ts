import { startPipeline } from '@forgelog/ci/testing/running-job.ts';
import type { CallContext } from '../fixtures/fixture.ts';
import type { Forgelog } from './forgelog.ts';

export interface SampleJob {
  pipelineId: number;
  jobId: number;
  token: string;
  end(): Promise<unknown>;
}

/** A pipeline of one job, which runs: made without a runner, for suites that need some job. */
export async function startJob(forgelog: Forgelog, projectId: number): Promise<SampleJob> {
  const ports = forgelog.portsOf('ci');
  const pipelineId = await ports.ids.next('pipeline');
  const jobId = await ports.ids.next('job');
  const given = { projectId, pipelineId, iid: pipelineId, firstJobId: jobId };
  const pipeline = await startPipeline(ports, { ...given, now: ports.clock().toISOString() });
  const token = await pipeline.run(jobId);
  return { pipelineId, jobId, token, end: () => pipeline.end(jobId) };
}

const jobs = new WeakMap<CallContext, Promise<SampleJob>>();

/** The running job of a call: its path, its token and its body are about the same one. */
export function jobOfCall(context: CallContext): Promise<SampleJob> {
  const { world, place } = context;
  const known = jobs.get(context) ?? startJob(world.forgelog, place.projectId);
  jobs.set(context, known);
  return known;
}
