import { type PipelineCommand, pipelineDecider } from '@forgelog/ci/pipelines/pipeline.decider.ts';
import { pipelineStream } from '@forgelog/ci/pipelines/pipeline-state.ts';
import { createPipeline, jobFacts } from '@forgelog/ci/testing/sample-pipeline.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import type { Calls } from './calls.ts';
import type { Forgelog } from './forgelog.ts';

type Place = { projectId: number; iid: number };
type Bare<C> = C extends unknown ? Omit<C, keyof Place | 'now'> : never;

/** Lets a pipeline and its jobs have an event of every type. */
export async function tellPipelines({ system }: Forgelog, projectId: number, userId: number): Promise<void> {
  const { commands, clock } = system.ports;
  const place = { projectId, iid: 1 };
  const now = clock().toISOString();
  const act = (command: Bare<PipelineCommand>) =>
    commands.handle(
      pipelineDecider,
      pipelineStream(place),
      { ...command, ...place, now } as PipelineCommand,
      { ...SYSTEM_METADATA, actorId: userId },
    );
  const passed = { outcome: 'success', failureReason: null, exitCode: 0, newJobId: null } as const;
  const [BUILD, TEST, DEPLOY, NOTIFY, PUBLISH, TEST_AGAIN] = [1, 2, 3, 4, 5, 6];
  const environment = {
    name: 'production',
    url: 'https://engines.example',
    action: 'start',
    onStop: 'take-down',
    autoStopIn: null,
    deploymentTier: 'production',
  } as const;
  const sealedVariables = 'sealed';
  await act(
    createPipeline(
      [
        jobFacts('build', { tags: ['linux'] }),
        jobFacts('test', { stageIndex: 1 }),
        jobFacts('deploy', { stageIndex: 2, when: 'manual', environment }),
        jobFacts('notify', { stageIndex: 2, when: 'delayed', startIn: 1800 }),
        jobFacts('publish', { stageIndex: 2, resourceGroup: 'production' }),
      ],
      { ...place, now, userId, sealedVariables },
    ),
  );
  const run = async (jobId: number, result: object = { ...passed, coverage: null }) => {
    await act({ type: 'StartJob', jobId, runnerId: 1 });
    if (jobId === BUILD) {
      const artifact = { fileType: 'archive', fileFormat: 'zip', filename: 'artifacts.zip' } as const;
      const stored = { size: 512, sha256: 'c'.repeat(64), expiresAt: '2030-01-31T00:00:00.000Z' };
      await act({ type: 'AddArtifact', jobId, ...artifact, ...stored });
    }
    await act({ type: 'CompleteJob', jobId, ...passed, coverage: null, ...result });
  };
  await act({ type: 'StartJob', jobId: BUILD, runnerId: 1 });
  await act({ type: 'ReturnJob', jobId: BUILD, runnerId: 1 });
  await run(BUILD);
  await run(TEST, { outcome: 'failed', failureReason: 'script_failure', exitCode: 1 });
  await act({ type: 'RetryJob', jobId: TEST, newJobId: TEST_AGAIN, userId });
  await run(TEST_AGAIN, { coverage: 92.5 });
  await act({ type: 'PlayJob', jobId: DEPLOY, newJobId: 7, userId, sealedVariables });
  await run(DEPLOY);
  await act({ type: 'GrantResource', jobId: PUBLISH });
  await act({
    ...{ type: 'ReportStatus', newJobId: 8, userId, name: 'scanner', state: 'running' },
    ...{ targetUrl: 'https://scanner.example/7', description: 'Looks for holes', coverage: 80 },
  });
  await act({ type: 'CancelJob', jobId: NOTIFY });
  await act({ type: 'ArchiveLog', jobId: BUILD, size: 2048, sha256: 'd'.repeat(64) });
  await act({ type: 'KeepArtifacts', jobId: BUILD });
  await act({ type: 'EraseJob', jobId: BUILD, userId });
  // Deployments follow their jobs.
  if (!(await system.projectors.policiesIdle())) throw new Error('policies do not come to rest');
  await act({ type: 'DeletePipeline' });
}

/** Lets a bridge wait for its child, end with it, and run again as it does. */
export async function tellBridge({ post, get }: Calls, project: string): Promise<void> {
  const file = (file_path: string, content: string) => ({ action: 'create', file_path, content });
  const actions = [
    file('.gitlab-ci.yml', 'engine: {trigger: {include: engine.yml, strategy: depend}}'),
    file('engine.yml', 'start: {script: make start}'),
  ];
  const commit = {
    branch: 'with-a-child',
    start_branch: 'main',
    commit_message: 'Start the engine',
    actions,
  };
  await post(`${project}/repository/commits`, commit);
  const { body: jobs } = await get(`${project}/jobs`);
  const child = `${project}/pipelines/${jobs[0].pipeline.id}`;
  await post(`${child}/cancel`);
  await post(`${child}/retry`);
  await post(`${child}/cancel`);
}
