import { gzipSync } from 'node:zlib';
import type { JobResponse } from '@forgelog/contracts/ci/runners/job-response.views.ts';
import { expect, test } from 'vitest';
import { startBuilt, statusesOf } from '../support/built-project.ts';

const CONFIGURATION = `
stages: [build, test]
build:
  stage: build
  script: [make]
  artifacts: {reports: {dotenv: build.env}}
other:
  stage: build
  script: [make]
all: {stage: test, script: [make], variables: {VERSION: own, PLACE: own}}
needing: {stage: test, script: [make], needs: [build]}
without: {stage: test, script: [make], needs: [{job: build, artifacts: false}]}
elsewhere: {stage: test, script: [make], dependencies: [other]}
deploy:
  stage: test
  script: [make]
  environment: {name: live, url: https://$HOST.example.org/$VERSION}
child:
  stage: test
  variables: {PASSED: "built $VERSION"}
  trigger: {include: child.yml}
`;

const told = ({ variables }: JobResponse) =>
  Object.fromEntries(
    variables
      .filter(({ key }) => /^(VERSION|PLACE|HOST|PASSED)$/.test(key))
      .map(({ key, value }) => [key, value]),
  );

test('variables of a dotenv report are those of later jobs that fetch its artifacts', async () => {
  const { forgelog, project, runner } = await startBuilt(CONFIGURATION);
  const of = `/projects/${project.id}`;
  await forgelog.post(`${of}/variables`, { key: 'PLACE', value: 'project' });
  const first = [(await runner.request())!, (await runner.request())!];
  const build = first.find(({ job_info }) => job_info.name === 'build')!;
  const other = first.find(({ job_info }) => job_info.name === 'other')!;
  expect(build.artifacts).toMatchObject([{ artifact_type: 'dotenv', artifact_format: 'gzip' }]);

  const refused = await runner.upload(build, gzipSync('VERSION'), 'dotenv');
  expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('Invalid Format')]);
  const packed = Buffer.concat([gzipSync('VERSION=1.2\nPLACE=report\n'), gzipSync('HOST=weak\n')]);
  expect((await runner.upload(build, packed, 'dotenv')).status).toBe(201);
  await runner.update(build, { state: 'success' });
  await runner.update(other, { state: 'success' });
  await forgelog.system.projectors.policiesIdle();

  const found: Record<string, object> = {};
  for (let job = await runner.request(); job; job = await runner.request()) {
    found[job.job_info.name] = told(job);
    if (job.job_info.name === 'deploy')
      expect((await runner.upload(job, gzipSync('HOST=live'), 'dotenv')).status).toBe(201);
    await runner.update(job, { state: 'success' });
  }
  const all = { VERSION: '1.2', PLACE: 'project', HOST: 'weak' };
  expect(found).toEqual({
    ...{ all, needing: all, deploy: all },
    ...{ without: { PLACE: 'project' }, elsewhere: { PLACE: 'project' } },
  });
  await forgelog.system.projectors.policiesIdle();
  const [environment] = (await forgelog.get(`${of}/environments`)).body;
  expect(environment.external_url).toBe('https://live.example.org/1.2');
  const [bridge] = (await forgelog.get(`${of}/pipelines/1/bridges`)).body;
  const passed = await forgelog.get(`${of}/pipelines/${bridge.downstream_pipeline.id}/variables`);
  expect(passed.body).toMatchObject([{ key: 'PASSED', value: 'built 1.2' }]);
  expect((await statusesOf(forgelog, project)).deploy).toBe('success');
});
