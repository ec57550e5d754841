import { zipOf } from '@forgelog/ci/testing/sample-archive.ts';
import { expect, test } from 'vitest';
import { startBuilt, statusesOf } from '../support/built-project.ts';

const MADE = 'make: {script: [make], artifacts: {paths: [out/]}}';

test('a job gets artifacts of the newest successful pipeline of another project, if its user may', async () => {
  const other = await startBuilt(MADE);
  const { forgelog } = other;
  const made = (await other.runner.request())!;
  const archive = await zipOf({ 'out/a.txt': 'made' });
  await other.runner.upload(made, archive);
  await other.runner.update(made, { state: 'success' });

  const needs = (project: string, job: string) =>
    `{script: [use], variables: {REF: main}, needs: [{project: ${project}, ref: $REF, job: ${job}, artifacts: true}]}`;
  const path = other.project.path_with_namespace;
  const configuration = `
use: ${needs(path, 'make')}
gone: ${needs(path, 'gone')}
nowhere: ${needs('root/nowhere', 'make')}`;
  const { project, runner } = await startBuilt(configuration, { forgelog });
  const job = (await runner.request())!;
  expect(job.job_info.name).toBe('use');
  expect(job.dependencies).toEqual([
    {
      ...{ id: made.id, name: 'make', token: job.token },
      artifacts_file: { filename: 'artifacts.zip', size: archive.length },
    },
  ]);
  const headers = { 'JOB-TOKEN': job.token };
  const fetched = await fetch(`${forgelog.url}/api/v4/jobs/${made.id}/artifacts`, { headers });
  expect(Buffer.from(await fetched.arrayBuffer())).toEqual(archive);
  expect(await runner.request()).toBeUndefined();
  expect(await statusesOf(forgelog, project)).toEqual({ use: 'running', gone: 'failed', nowhere: 'failed' });
  const reasons = (await forgelog.get(`/projects/${project.id}/jobs?scope[]=failed`)).body;
  for (const { failure_reason } of reasons) expect(failure_reason).toBe('missing_dependency_failure');
});

test('a child gets artifacts of its parent, and of no other pipeline', async () => {
  const { forgelog, project, runner } = await startBuilt('make: {script: [make]}');
  const of = `/projects/${project.id}`;
  const stranger = (await runner.request())!;
  await runner.upload(stranger, await zipOf({ a: 'b' }));
  await runner.update(stranger, { state: 'success' });
  const use = (pipeline: string) => `{script: [use], needs: [{pipeline: ${pipeline}, job: make}]}`;
  const child = `use: ${use('$PARENT')}\nforeign: ${use('"1"')}`;
  const parent = `
make: {stage: build, script: [make], artifacts: {paths: [out/]}}
child: {stage: test, variables: {PARENT: $CI_PIPELINE_ID}, trigger: {include: child.yml}}`;
  const actions = [
    { action: 'update', file_path: '.gitlab-ci.yml', content: parent },
    { action: 'create', file_path: 'child.yml', content: child },
  ];
  await forgelog.post(`${of}/repository/commits`, { branch: 'main', commit_message: 'Child', actions });
  await forgelog.system.projectors.policiesIdle();
  const made = (await runner.request())!;
  expect((await runner.upload(made, await zipOf({ 'out/a.txt': 'made' }))).status).toBe(201);
  await runner.update(made, { state: 'success' });
  await forgelog.system.projectors.policiesIdle();
  const job = (await runner.request())!;
  expect([job.job_info.name, job.dependencies.map(({ id }) => id)]).toEqual(['use', [made.id]]);
  expect(await runner.request()).toBeUndefined();
  expect((await statusesOf(forgelog, project)).foreign).toBe('failed');
});
