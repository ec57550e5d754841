import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Gitlab } from '@gitbeaker/rest';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { PROGRAM_ENVIRONMENT } from '../support/server-process.ts';

/** A runner of another hand: `npm run test:real` builds it and says where it is. */
const executable = process.env.SHELL_RUNNER;

const CONFIGURATION = `
stages: [build, test, deploy]

build:
  stage: build
  script:
    - mkdir out
    - echo "built $CI_COMMIT_SHORT_SHA" > out/result.txt
  artifacts:
    paths: [out/]

test:
  stage: test
  needs: [build]
  parallel:
    matrix:
      - KIND: [unit, system]
  script:
    - grep "built $CI_COMMIT_SHORT_SHA" out/result.txt
    - echo "tested $KIND with $GREETING"
    - echo "<testsuite name='$KIND'><testcase name='reads' time='0.5'/></testsuite>" > report.xml
  artifacts:
    reports:
      junit: report.xml

fragile:
  stage: test
  needs: []
  script: exit 3
  allow_failure: true

deploy:
  stage: deploy
  script: echo "deployed"
  environment: production
  when: manual
  allow_failure: false
`;

let forgelog: Forgelog;
let folder: string;
let runner: ChildProcess | undefined;

beforeAll(async () => {
  forgelog = await startForgelog();
  folder = await mkdtemp(join(tmpdir(), 'forgelog-runner-'));
});
afterAll(async () => {
  if (runner?.exitCode === null) {
    runner.kill();
    await once(runner, 'exit');
  }
  await forgelog.stop();
  await rm(folder, { recursive: true, force: true });
});

test.skipIf(!executable)(
  'a runner on the crate gitlab-runner executes a pipeline, and a stock client reads it',
  { timeout: 180_000 },
  async () => {
    const api = new Gitlab({ host: forgelog.url, token: forgelog.rootToken });
    const project = await api.Projects.create({ name: 'Engine', initializeWithReadme: true });
    await api.ProjectVariables.create(project.id, 'GREETING', 'good wishes');
    const { token: registration } = (
      await forgelog.post(`/projects/${project.id}/runners/reset_registration_token`)
    ).body;
    const { body: registered } = await forgelog.post('/runners', {
      token: registration,
      description: 'shell',
    });
    runner = spawn(executable!, [forgelog.url, registered.token, folder], {
      env: { ...PROGRAM_ENVIRONMENT, HOME: folder },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    await api.RepositoryFiles.create(project.id, '.gitlab-ci.yml', 'main', CONFIGURATION, 'Build it');

    const [pipeline] = await eventually('a pipeline', () => api.Pipelines.all(project.id), {
      until: (found) => found.length > 0,
    });
    const inStatus = (status: string) =>
      eventually(`the pipeline in status ${status}`, () => api.Pipelines.show(project.id, pipeline!.id), {
        until: (found) => found.status === status || found.status === 'failed',
        deadlineMs: 90_000,
      });
    await inStatus('manual');

    const jobs = await api.Jobs.all(project.id, { pipelineId: pipeline!.id });
    const job = (name: string) => jobs.find((each) => each.name === name)!;
    expect(Object.fromEntries(jobs.map(({ name, status }) => [name, status]))).toEqual({
      build: 'success',
      'test: [unit]': 'success',
      'test: [system]': 'success',
      fragile: 'failed',
      deploy: 'manual',
    });
    // This runner gives no reasons.
    expect(job('fragile')).toMatchObject({ allow_failure: true, failure_reason: 'unknown_failure' });
    expect(job('build').artifacts_file).toMatchObject({ size: expect.any(Number) });
    expect(await api.Jobs.showLog(project.id, job('test: [unit]').id)).toContain(
      'tested unit with good wishes',
    );
    const report = await api.Pipelines.showTestReport(project.id, pipeline!.id);
    expect(report).toMatchObject({ total_count: 2, success_count: 2, total_time: 1 });

    await api.Jobs.play(project.id, job('deploy').id);
    await inStatus('success');
    // Policies make both.
    const [deployment] = await eventually('a deployment', () => api.Deployments.all(project.id), {
      until: ([found]) => found?.status === 'success',
    });
    expect(deployment).toMatchObject({ status: 'success', environment: { name: 'production' } });
    const [environment] = await api.Environments.all(project.id);
    expect(environment).toMatchObject({ name: 'production', state: 'available' });
  },
);
