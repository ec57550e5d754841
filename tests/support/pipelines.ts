import { type GivenVariable, givenVariables } from '@forgelog/ci/pipelines/given-variables.ts';
import { pipelineDecider } from '@forgelog/ci/pipelines/pipeline.decider.ts';
import { actOn, type PipelineAct } from '@forgelog/ci/pipelines/pipeline-acts.ts';
import { type JobFacts, pipelineStream } from '@forgelog/ci/pipelines/pipeline-state.ts';
import { pipelines } from '@forgelog/ci/pipelines/pipelines.projection.ts';
import { createPipeline, jobFacts } from '@forgelog/ci/testing/sample-pipeline.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { createProjectNumbers } from '@forgelog/service-kit/project-numbers.ts';
import type { Forgelog } from './forgelog.ts';

interface MadePipeline {
  id: number;
  /** A manual job, one that has failed and left a report, and one that waits for a runner. */
  jobs: { manual: number; failed: number; pending: number };
}

const FAILED = { failureReason: 'script_failure', exitCode: 1, coverage: null, newJobId: null } as const;

/** A pipeline without a configuration: its jobs are given. */
export async function makePipeline(forgelog: Forgelog, projectId: number): Promise<MadePipeline> {
  const environment = {
    ...{ name: 'review/made', url: null, action: 'start' as const },
    ...{ onStop: null, autoStopIn: null, deploymentTier: null },
  };
  const facts = [
    jobFacts('manual', { when: 'manual' }),
    jobFacts('failed', { environment }),
    jobFacts('pending'),
  ];
  const { id, jobIds, act } = await create(forgelog, projectId, facts);
  const [manual, failed, pending] = jobIds as [number, number, number];
  await act({ type: 'StartJob', jobId: failed, runnerId: null });
  const report = { fileType: 'junit', fileFormat: 'gzip', filename: 'junit.xml.gz' } as const;
  const stored = { size: 64, sha256: 'c'.repeat(64), expiresAt: null };
  await act({ type: 'AddArtifact', jobId: failed, ...report, ...stored });
  await act({ type: 'CompleteJob', jobId: failed, outcome: 'failed', ...FAILED });
  return { id, jobs: { manual, failed, pending } };
}

/** A pipeline with some jobs, which failed on a runner, bridges and variables. Returns its id. */
export async function makeListedPipeline(
  forgelog: Forgelog,
  projectId: number,
  some: number,
  runnerId: number,
): Promise<number> {
  const each = <T>(make: (at: number) => T) => Array.from({ length: some }, (_, at) => make(at));
  const facts = [
    ...each((at) => jobFacts(`job ${at}`)),
    ...each((at) => jobFacts(`bridge ${at}`, { kind: 'bridge' })),
  ];
  const given = each((at) => ({ key: `LISTED_${at}`, value: 'value', type: 'env_var' as const }));
  const { id, jobIds, act } = await create(forgelog, projectId, facts, given);
  for (const jobId of jobIds.slice(0, some)) {
    await act({ type: 'StartJob', jobId, runnerId });
    await act({ type: 'CompleteJob', jobId, outcome: 'failed', ...FAILED });
  }
  return id;
}

async function create(
  forgelog: Forgelog,
  projectId: number,
  facts: readonly JobFacts[],
  given: readonly GivenVariable[] = [],
) {
  const { commands, ids, readStore, clock, configuration } = forgelog.portsOf('ci');
  const pipelineId = await ids.next('pipeline');
  const jobIds = await ids.many('job', facts.length);
  const jobs = facts.map((one, at) => ({ jobId: jobIds[at]!, facts: one }));
  const metadata = { ...SYSTEM_METADATA, actorId: 1 };
  const variables = givenVariables({ configuration });
  const numbers = createProjectNumbers(readStore, pipelines, 'pipeline');
  const place = await numbers.withNext(projectId, async (iid) => {
    const place = { projectId, iid };
    const sealedVariables = variables.seal(place, given);
    const now = clock().toISOString();
    const command = createPipeline(facts, { ...place, pipelineId, jobs, sealedVariables, now });
    await commands.handle(pipelineDecider, pipelineStream(place), command, metadata, { mustBeNew: true });
    return place;
  });
  const act = (command: PipelineAct) => actOn({ commands, clock }, place, command, metadata);
  return { id: pipelineId, jobIds, act };
}
