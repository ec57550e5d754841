import { getEnvironment, stopEnvironment } from '@forgelog/contracts/ci/environments/environment.api.ts';
import { actingUser } from '@forgelog/directory/acting-user.ts';
import type { CommandHandler } from '@forgelog/eventing/command-handler.ts';
import { type AppendedEvent, type RecordedEvent, SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { DEVELOPER, team } from '@forgelog/testing/sample-team.ts';
import { expect, test } from 'vitest';
import { stopDueEnvironments } from '../environments/auto-stop.worker.ts';
import { environmentSlice } from '../environments/environment.slice.ts';
import { environments } from '../environments/environments.projection.ts';
import { jobSlice } from '../jobs/job.slice.ts';
import { jobs } from '../jobs/jobs.collection.ts';
import { type PipelineCommand, pipelineDecider } from '../pipelines/pipeline.decider.ts';
import { pipelineSlice } from '../pipelines/pipeline.slice.ts';
import { pipelineStream } from '../pipelines/pipeline-state.ts';
import type { BareCommand } from '../testing/acting-pipeline.ts';
import { startCiSlices } from '../testing/start-ci-slices.ts';
import { deploymentPolicies } from './deployment.policy.ts';
import { deploymentSlice } from './deployment.slice.ts';
import { deployments } from './deployments.projection.ts';

const CONFIGURATION = `
deploy:
  script: ship
  variables: {DOMAIN: example.org}
  environment:
    name: review/$CI_COMMIT_REF_NAME
    url: https://$CI_ENVIRONMENT_SLUG.$DOMAIN
    on_stop: stop
    auto_stop_in: 1 day
stop:
  script: take down
  when: manual
  environment: {name: review/$CI_COMMIT_REF_NAME, action: stop}
check:
  script: probe
  environment: {name: review/$CI_COMMIT_REF_NAME, action: verify}`;
const [DEPLOY, STOP, CHECK] = [1, 2, 3];

async function start(content = CONFIGURATION) {
  const { ci, call } = await startCiSlices(
    [pipelineSlice, jobSlice, environmentSlice, deploymentSlice],
    { 7: { branches: { main: { '.gitlab-ci.yml': content } } } },
    team,
  );
  const told: AppendedEvent[] = [];
  const commands: CommandHandler = {
    ...ci.commands,
    async handle(...given) {
      const handled = await ci.commands.handle(...given);
      told.push(...handled.events);
      return handled;
    },
  };
  const ports = { ...ci, commands };
  const policies = deploymentPolicies(ports);
  /** Each policy reacts twice, as after a kill. */
  async function settle(events: readonly AppendedEvent[] = []) {
    told.push(...events);
    for (let event = told.shift(); event; event = told.shift())
      for (const { handles, react } of [...policies, ...policies])
        if (handles.includes(event.type)) await react(event as RecordedEvent, new AbortController().signal);
  }
  const user = (await actingUser(ci.directory, DEVELOPER))!;
  await ci.pipelineCreation.create({
    ...{ projectId: 7, user, source: 'api', ref: 'main', invalid: 'refused' },
  });
  async function act(command: BareCommand) {
    const place = { projectId: 7, iid: 1 };
    const whole = { ...place, ...command, now: new Date().toISOString() } as PipelineCommand;
    await commands.handle(pipelineDecider, pipelineStream(place), whole, SYSTEM_METADATA);
    await settle();
  }
  const startJob = (jobId: number) => act({ type: 'StartJob', jobId, runnerId: 5 });
  const endJob = (jobId: number, outcome: 'success' | 'failed') =>
    act({
      ...{ type: 'CompleteJob', jobId, outcome, exitCode: null, coverage: null, newJobId: null },
      failureReason: outcome === 'failed' ? 'script_failure' : null,
    });
  const found = async () => ({
    environment: (await ci.readStore.find(environments, { limit: 9 }))[0],
    deployments: (await ci.readStore.find(deployments, { limit: 9 })).map(({ status }) => status),
  });
  const statusOf = async (jobId: number) => (await ci.readStore.get(jobs, jobId))!.status;
  return { ...{ ci, call, ports, settle, act, startJob, endJob, found, statusOf } };
}

test('a job that deploys makes its environment and one deployment, which follows it', async () => {
  const { startJob, endJob, found } = await start();
  expect(await found()).toEqual({ environment: undefined, deployments: [] });
  await startJob(DEPLOY);
  expect(await found()).toMatchObject({
    environment: { name: 'review/main', state: 'available', externalUrl: null },
    deployments: ['running'],
  });
  await endJob(DEPLOY, 'success');
  const { environment, deployments: statuses } = await found();
  expect(statuses).toEqual(['success']);
  expect(environment).toMatchObject({
    ...{ externalUrl: `https://${environment!.slug}.example.org` },
    ...{ stopJob: 'stop', stopPipelineIid: 1 },
  });
  expect(Date.parse(environment!.autoStopAt!)).toBeGreaterThan(Date.now() + 86_000_000);
});

test('an environment shows its newest successful deployment with the job', async () => {
  const { startJob, endJob, call } = await start();
  const shown = async () =>
    (await call(getEnvironment, { id: 7, environment_id: 1 }, DEVELOPER)).body.last_deployment;
  await startJob(DEPLOY);
  expect(await shown()).toBeNull();
  await endJob(DEPLOY, 'success');
  expect(await shown()).toMatchObject({
    ...{ id: 1, iid: 1, status: 'success', ref: 'main', user: { id: DEVELOPER } },
    deployable: { id: DEPLOY, name: 'deploy', status: 'success' },
  });
});

test('a deployment fails with its job, and is canceled with it', async () => {
  const failing = await start();
  await failing.startJob(DEPLOY);
  await failing.endJob(DEPLOY, 'failed');
  expect(await failing.found()).toMatchObject({
    ...{ environment: { externalUrl: null, autoStopAt: null }, deployments: ['failed'] },
  });
  const canceled = await start();
  await canceled.startJob(DEPLOY);
  await canceled.act({ type: 'CancelJob', jobId: DEPLOY });
  expect((await canceled.found()).deployments).toEqual(['canceled']);
});

test('a job that only looks at an environment deploys nothing', async () => {
  const { startJob, endJob, found } = await start();
  await startJob(CHECK);
  await endJob(CHECK, 'success');
  expect(await found()).toEqual({ environment: undefined, deployments: [] });
});

test('an environment is stopped by its job, and is there again after the next deployment', async () => {
  const { startJob, endJob, act, found } = await start();
  await startJob(DEPLOY);
  await endJob(DEPLOY, 'success');
  const command = { type: 'PlayJob', jobId: STOP, newJobId: 9, userId: DEVELOPER } as const;
  await act({ ...command, sealedVariables: null });
  await startJob(STOP);
  expect((await found()).environment!.state).toBe('available');
  await endJob(STOP, 'success');
  expect((await found()).environment!.state).toBe('stopped');
  await act({ type: 'RetryJob', jobId: DEPLOY, newJobId: 10, userId: DEVELOPER });
  await startJob(10);
  await endJob(10, 'success');
  expect(await found()).toMatchObject({
    ...{ environment: { state: 'available' }, deployments: ['success', 'success'] },
  });
});

test('whoever stops an environment plays its stop job', async () => {
  const { startJob, endJob, call, settle, statusOf, ci } = await start();
  await startJob(DEPLOY);
  await endJob(DEPLOY, 'success');
  expect(await statusOf(STOP)).toBe('manual');
  const { events, status } = await call(stopEnvironment, { id: 7, environment_id: 1 }, DEVELOPER);
  expect(status).toBe(200);
  const metadata = { ...SYSTEM_METADATA, actorId: DEVELOPER };
  await settle(events.map((event) => ({ ...event, metadata }) as AppendedEvent));
  expect(await ci.readStore.get(jobs, STOP)).toMatchObject({ status: 'pending', actorId: DEVELOPER });
});

test('an environment whose time is over is stopped once', async () => {
  const { startJob, endJob, ports, settle, found, statusOf } = await start();
  await startJob(DEPLOY);
  await endJob(DEPLOY, 'success');
  await stopDueEnvironments(ports);
  expect((await found()).environment!.state).toBe('available');
  const later = { ...ports, clock: () => new Date(Date.now() + 2 * 86_400_000) };
  await Promise.all([stopDueEnvironments(later), stopDueEnvironments(later)]);
  await settle();
  expect((await found()).environment!.state).toBe('stopped');
  expect(await statusOf(STOP)).toBe('pending');
});

test.each([
  ['a variable that nobody knows', 'https://$UNKNOWN.example.org'],
  ['no address', 'javascript:alert(1)'],
])('an address with %s is left out', async (_case, url) => {
  const { startJob, endJob, found } = await start(
    `deploy: {script: ship, environment: {name: live, url: '${url}'}}`,
  );
  await startJob(DEPLOY);
  await endJob(DEPLOY, 'success');
  expect(await found()).toMatchObject({ environment: { externalUrl: null }, deployments: ['success'] });
});
