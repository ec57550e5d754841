import type { CreatePipeline } from '../pipelines/pipeline.decider.ts';
import type { JobFacts } from '../pipelines/pipeline-state.ts';

/** A job as a configuration of one line describes it. */
export const jobFacts = (name: string, facts: Partial<JobFacts> = {}): JobFacts => ({
  name,
  stage: ['build', 'test', 'deploy'][facts.stageIndex ?? 0] ?? 'last',
  stageIndex: 0,
  kind: 'build',
  when: 'on_success',
  startIn: null,
  allowFailure: false,
  allowFailureExitCodes: null,
  needs: null,
  tags: [],
  environment: null,
  resourceGroup: null,
  retry: { max: 0, when: ['always'] },
  interruptible: false,
  timeoutSeconds: 3600,
  ...facts,
});

export const need = (job: string, optional = false) => ({ job, artifacts: true, optional });

/** The command that creates a pipeline of these jobs, whose ids follow the first one. */
export function createPipeline(
  jobs: readonly JobFacts[],
  {
    firstJobId = 1,
    ...given
  }: Partial<CreatePipeline> & { projectId?: number; iid?: number; now?: string; firstJobId?: number } = {},
) {
  return {
    type: 'CreatePipeline' as const,
    pipelineId: 1,
    projectId: 7,
    iid: 1,
    now: '2030-01-01T00:00:00.000Z',
    ref: 'main',
    refKind: 'branch' as const,
    sha: 'a'.repeat(40),
    beforeSha: null,
    source: 'push' as const,
    userId: 1,
    isProtected: true,
    configPath: '.gitlab-ci.yml',
    yamlErrors: null,
    stages: [...new Set(jobs.map(({ stage }) => stage))],
    sealedVariables: null,
    definitions: 'b'.repeat(64),
    parent: null,
    causeId: null,
    jobs: jobs.map((facts, index) => ({ jobId: firstJobId + index, facts })),
    ...given,
  };
}
