import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { pipelineDecider } from '@forgelog/ci/pipelines/pipeline.decider.ts';
import { pipelineStream } from '@forgelog/ci/pipelines/pipeline-state.ts';
import { zipOf } from '@forgelog/ci/testing/sample-archive.ts';
import type { JobResponse } from '@forgelog/contracts/ci/runners/job-response.views.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { expect, test } from 'vitest';
import { type BuiltProject, startBuilt as start, statusesOf as statuses } from '../support/built-project.ts';
import { eventually } from '../support/eventually.ts';
import { createFixtures } from '../support/fixtures.ts';
import type { Forgelog } from '../support/forgelog.ts';
import { registerRunner } from '../support/protocol-runner.ts';
import { git, tryGit } from '../support/stock-git.ts';

const checksumOf = (log: string) => `crc32:${crc32(log).toString(16).padStart(8, '0')}`;

const TWO_STAGES = `
stages: [build, test]
variables: {GREETING: hello}
build:
  stage: build
  script:
    - echo "$GREETING from $CI_JOB_NAME of $CI_PROJECT_NAME"
    - test "$(git rev-parse HEAD)" = "$CI_COMMIT_SHA"
  artifacts: {paths: [out/]}
test:
  stage: test
  script: [exit 3]
`;

test('a runner executes a pipeline: clone, script, log, artifacts, and what comes of it', async () => {
  const { forgelog, project, runner } = await start(TWO_STAGES);
  const job = (await runner.request())!;
  expect(job.job_info).toMatchObject({ name: 'build', stage: 'build', project_id: project.id });
  expect(await runner.request()).toBeUndefined();

  const { code, log } = await runner.run(job, await runner.clone(job));
  expect([code, log]).toEqual([0, expect.stringMatching(/^hello from build of built-/)]);
  // In pieces: the first twice, a gap refused with what is there, the rest.
  const half = 10;
  expect((await runner.trace(job, 0, log.slice(0, half))).headers.get('range')).toBe(`0-${half}`);
  expect((await runner.trace(job, 0, log.slice(0, half))).headers.get('range')).toBe(`0-${half}`);
  const gap = await runner.trace(job, half + 5, log.slice(half + 5));
  expect([gap.status, gap.headers.get('range')]).toEqual([416, `0-${half}`]);
  const output = { bytesize: Buffer.byteLength(log), checksum: checksumOf(log) };
  expect((await runner.update(job, { state: 'success', output })).status).toBe(202);
  expect(await statuses(forgelog, project)).toEqual({ build: 'running', test: 'created' });
  expect((await runner.trace(job, half, log.slice(half))).status).toBe(202);

  const archive = await zipOf({ 'out/file.txt': 'built' });
  expect((await runner.upload(job, archive)).status).toBe(201);
  const done = await runner.update(job, { state: 'success', output, exit_code: 0 });
  expect([done.status, done.headers.get('job-status')]).toEqual([200, 'success']);
  expect((await forgelog.get(`/projects/${project.id}/jobs/${job.id}/trace`)).text).toBe(log);

  const next = (await runner.request())!;
  expect(next.dependencies).toEqual([
    {
      ...{ id: job.id, name: 'build', token: next.token },
      artifacts_file: { filename: 'artifacts.zip', size: archive.length },
    },
  ]);
  const headers = { 'JOB-TOKEN': next.token };
  const fetched = await fetch(`${forgelog.url}/api/v4/jobs/${job.id}/artifacts`, { headers });
  expect(Buffer.from(await fetched.arrayBuffer())).toEqual(archive);
  const path = `/projects/${project.id}/jobs/${job.id}/artifacts`;
  expect((await fetch(`${forgelog.url}/api/v4${path}`, { headers })).status).toBe(200);
  const failed = { state: 'failed', failure_reason: 'script_failure', exit_code: 3 };
  expect((await runner.update(next, failed)).status).toBe(200);
  const { body } = await forgelog.get(`/projects/${project.id}/jobs/${next.id}`);
  expect(body).toMatchObject({
    ...{ status: 'failed', failure_reason: 'script_failure' },
    runner: { id: runner.id, status: 'online', name: 'protocol' },
  });
  expect((await forgelog.get(`/projects/${project.id}/pipelines/1`)).body.status).toBe('failed');
});

test('a job fetches artifacts of the jobs that it names, or of all stages before', async () => {
  const { runner } = await start(`
stages: [build, test]
a: {stage: build, script: [make], artifacts: {paths: [out/]}}
b: {stage: build, script: [make], artifacts: {paths: [out/]}}
all: {stage: test, script: [make]}
named: {stage: test, script: [make], dependencies: [b]}
none: {stage: test, script: [make], dependencies: []}
needing: {stage: test, script: [make], needs: [a, {job: b, artifacts: false}]}
`);
  const archive = await zipOf({ 'out/a.txt': 'made' });
  const fetched: Record<string, string[]> = {};
  for (let job = await runner.request(); job; job = await runner.request()) {
    fetched[job.job_info.name] = job.dependencies.map(({ name }) => name);
    if (job.job_info.stage === 'build') await runner.upload(job, archive);
    expect((await runner.update(job, { state: 'success' })).status).toBe(200);
  }
  expect(fetched).toEqual({ a: [], b: [], all: ['a', 'b'], named: ['b'], none: [], needing: ['a'] });
});

test('a log that arrived otherwise than it was sent is asked for again, once', async () => {
  const { forgelog, project, runner } = await start('many: {script: [make], parallel: 2}');
  const [spoiled, hopeless] = [(await runner.request())!, (await runner.request())!];
  const log = 'all of the log\n';
  const output = { bytesize: log.length, checksum: checksumOf(log) };
  const end = (job: JobResponse) => runner.update(job, { state: 'success', output });
  const shown = async ({ id }: JobResponse) =>
    (await forgelog.get(`/projects/${project.id}/jobs/${id}/trace`)).text;
  await runner.trace(spoiled, 0, 'ALL of the log\n');
  const refused = await end(spoiled);
  expect([refused.status, refused.headers.get('job-status')]).toEqual([412, 'running']);
  await runner.trace(spoiled, 0, log);
  expect((await end(spoiled)).status).toBe(200);
  expect(await shown(spoiled)).toBe(log);

  for (const status of [412, 200]) {
    await runner.trace(hopeless, 0, 'ALL of the log\n');
    expect((await end(hopeless)).status).toBe(status);
  }
  expect(await shown(hopeless)).toBe('ALL of the log\n');
});

const ONE = 'only: {script: [echo]}';

test('a job whose commit its branch has left is cloned all the same', async () => {
  const { forgelog, project, runner } = await start(ONE);
  const job = (await runner.request())!;
  await commitMore(forgelog, project);
  const folder = await runner.clone(job);
  expect(await readFile(join(folder, '.gitlab-ci.yml'), 'utf8')).toBe(ONE);
  expect(await git(folder, 'rev-parse', 'HEAD')).toBe(job.git_info.sha);
});

async function commitMore(forgelog: Forgelog, { id }: BuiltProject): Promise<void> {
  const file = `/projects/${id}/repository/files/more.txt`;
  await forgelog.post(file, { branch: 'main', commit_message: 'More [skip ci]', content: 'more' });
}

test('what a runner says twice, or after a cancel, changes nothing', async () => {
  const { forgelog, project, runner } = await start(ONE);
  const job = (await runner.request())!;
  expect((await forgelog.post(`/projects/${project.id}/jobs/${job.id}/cancel`)).status).toBe(201);
  for (const state of ['running', 'success', 'failed']) {
    const answer = await runner.update(job, { state });
    expect([answer.status, answer.headers.get('job-status')]).toEqual([403, 'canceled']);
  }
  expect((await runner.trace(job, 0, 'late')).status).toBe(403);
  expect(await statuses(forgelog, project)).toEqual({ only: 'canceled' });
});

test('the token of a job opens what it may while the job runs, and nothing afterwards', async () => {
  const { forgelog, project, runner } = await start(ONE);
  const job = (await runner.request())!;
  const folder = await runner.clone(job);
  const headers = { 'JOB-TOKEN': job.token };
  const asked = async (path: string) => (await forgelog.get(path, { token: null, headers })).status;
  expect([await asked(`/projects/${project.id}`), await asked('/user')]).toEqual([403, 403]);
  expect((await forgelog.get(`/projects?job_token=${job.token}`, { token: null })).status).toBe(403);
  const pushed = await tryGit(folder, 'push', 'origin', 'HEAD:refs/heads/other');
  expect([pushed.code, pushed.stderr]).toEqual([128, expect.stringContaining('403')]);
  await runner.update(job, { state: 'success' });
  expect([await asked(`/projects/${project.id}`), await asked('/version')]).toEqual([401, 401]);
  expect((await tryGit(folder, 'fetch', 'origin')).code).not.toBe(0);
});

test('what the token of one job was answered is never answered to another', async () => {
  const configuration = 'build: {script: [make], artifacts: {paths: [out/]}}';
  const { forgelog, project, runner } = await start(configuration);
  const stranger = await createFixtures(forgelog).person('stranger');
  const { body: theirs } = await forgelog.post('/projects', { path: 'theirs' }, stranger);
  const file = { branch: 'main', commit_message: 'Configure', content: configuration };
  await forgelog.post(`/projects/${theirs.id}/repository/files/.gitlab-ci.yml`, file, stranger);
  const { token: other } = (await (await registerRunner(forgelog, theirs.runners_token)).request('1'))!;
  const own = (await runner.request())!;
  await runner.upload(own, await zipOf({ 'out/a.txt': 'made' }));
  const paths = [`/jobs/${own.id}/artifacts`, `/projects/${project.id}/releases`];
  for (const path of paths) {
    const ask = async (jobToken: string, headers = {}) =>
      (await forgelog.call('GET', path, { token: null, headers: { 'JOB-TOKEN': jobToken, ...headers } }))
        .status;
    const first = await forgelog.call('GET', path, { token: null, headers: { 'JOB-TOKEN': own.token } });
    expect([first.status, await ask(own.token), await ask(own.token)], path).toEqual([200, 200, 200]);
    const known = { 'If-None-Match': first.headers.get('etag') ?? '*' };
    expect([await ask(other), await ask(other), await ask(other, known)], path).toEqual([404, 404, 404]);
    const anonymous = await forgelog.call('GET', path, { token: null });
    expect([401, 403, 404], path).toContain(anonymous.status);
  }
});

test('a job goes to a runner that has its tags, of a project that it may serve', async () => {
  const { forgelog, project, runner } = await start('only: {script: [echo], tags: [docker]}');
  expect(await runner.request()).toBeUndefined();
  const { token } = (await forgelog.post('/runners/reset_registration_token')).body;
  const shared = await registerRunner(forgelog, token, { tag_list: ['docker', 'linux'] });
  await forgelog.put(`/projects/${project.id}`, { shared_runners_enabled: false });
  expect(await shared.request()).toBeUndefined();
  await forgelog.put(`/runners/${shared.id}`, { active: false });
  await forgelog.put(`/projects/${project.id}`, { shared_runners_enabled: true });
  expect(await shared.request()).toBeUndefined();
  await forgelog.put(`/runners/${shared.id}`, { active: true });
  expect(await shared.request()).toMatchObject({ job_info: { name: 'only' } });
});

test('a played job gets the variables given with it, before those of its pipeline, and its retry too', async () => {
  const configuration = 'deploy: {script: [echo], when: manual, variables: {PLACE: nowhere, OTHER: own}}';
  const { forgelog, project, runner } = await start(configuration);
  const of = `/projects/${project.id}`;
  const variables = [{ key: 'PLACE', value: 'pipeline' }];
  const created = await forgelog.post(`${of}/pipeline`, { ref: 'main', variables });
  const [{ id }] = (await forgelog.get(`${of}/pipelines/${created.body.id}/jobs`)).body;
  const given = [{ key: 'PLACE', value: 'a $5 place' }];
  expect((await forgelog.post(`${of}/jobs/${id}/play`, { job_variables_attributes: given })).status).toBe(
    200,
  );
  const placesOf = ({ variables }: JobResponse) => variables.filter(({ key }) => /^(PLACE|OTHER)$/.test(key));
  const expected = [
    { key: 'PLACE', value: 'a $5 place', public: false, masked: false, file: false },
    { key: 'OTHER', value: 'own', public: true, masked: false, file: false },
  ];
  const job = (await runner.request())!;
  expect([job.id, placesOf(job)]).toEqual([id, expected]);
  await runner.update(job, { state: 'failed' });
  expect((await forgelog.post(`${of}/jobs/${id}/retry`)).status).toBe(201);
  expect(placesOf((await runner.request())!)).toEqual(expected);
});

test('the coverage that its log tells is that of a job which passes or fails, and their mean that of the pipeline', async () => {
  const configuration = `
pass: {script: [echo], coverage: '/^TOTAL .*?(\\d+(?:\\.\\d+)?)%$/'}
fail: {script: [echo], coverage: '/Covered \\d+/'}
silent: {script: [echo]}`;
  const { forgelog, project, runner } = await start(configuration);
  const shown: Record<string, number | null> = {};
  for (const state of ['success', 'failed', 'success']) {
    const job = (await runner.request())!;
    // Longer than what is read of it, and only its end counts.
    await runner.trace(
      job,
      0,
      `Covered 1\n${'some words\n'.repeat(200_000)}Covered 70\nTOTAL 5 of 6 92.5%\n`,
    );
    expect((await runner.update(job, { state })).status).toBe(200);
    const { body } = await forgelog.get(`/projects/${project.id}/jobs/${job.id}`);
    shown[`${body.name} ${body.status}`] = body.coverage;
  }
  expect(shown).toEqual({ 'pass success': 92.5, 'fail failed': 70, 'silent success': null });
  expect((await forgelog.get(`/projects/${project.id}/pipelines/1`)).body.coverage).toBe('81.25');
});

test('of many runners that ask at once each job goes to one', async () => {
  const { project, forgelog, runner } = await start('many: {script: [echo], parallel: 4}');
  const asked = await Promise.all(Array.from({ length: 10 }, () => runner.request()));
  const ids = asked.flatMap((job) => (job ? [job.id] : []));
  expect([ids.length, new Set(ids).size]).toEqual([4, 4]);
  expect(Object.values(await statuses(forgelog, project))).toEqual(Array(4).fill('running'));
});

test('a waiting runner gets a new job at once, and one that leaves takes none', async () => {
  const { forgelog, project, runner } = await start(ONE);
  await runner.update((await runner.request())!, { state: 'success' });
  const leaving = new AbortController();
  const left = fetch(`${forgelog.url}/api/v4/jobs/request`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token: runner.token, last_update: '1' }),
    signal: leaving.signal,
  });
  const other = await registerRunner(forgelog, project.runners_token);
  leaving.abort();
  await expect(left).rejects.toThrow();
  const waiting = other.request('1');
  expect((await forgelog.post(`/projects/${project.id}/pipeline`, { ref: 'main' })).status).toBe(201);
  expect(await waiting).toMatchObject({ job_info: { name: 'only' } });
});

// Apart, the kernel may hold the whole answer between the service and the gateway.
test.runIf(!process.env.TEST_PROCESSES)(
  'a job is pending again when its runner leaves before it has the whole answer',
  async () => {
    const { forgelog, project, runner } = await start('later: {script: [echo], when: manual}');
    const of = `/projects/${project.id}`;
    // More than sockets buffer, so that the answer is not all sent while nobody reads it.
    for (const at of Array.from({ length: 12 }).keys())
      for (const level of [of, '/admin/ci']) {
        const long = { key: `LONG_${level.length}_${at}`, value: 'x'.repeat(262_144) };
        expect((await forgelog.post(`${level}/variables`, long)).status).toBe(201);
      }
    const [{ id }] = (await forgelog.get(`${of}/jobs`)).body;
    await forgelog.post(`${of}/jobs/${id}/play`);
    const { hostname, port } = new URL(forgelog.url);
    const socket = connect(Number(port), hostname);
    const body = JSON.stringify({ token: runner.token });
    const head = `Host: ${hostname}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
    socket.write(`POST /api/v4/jobs/request HTTP/1.1\r\n${head}\r\n\r\n${body}`);
    const is = (status: string) =>
      eventually(`the job is ${status}`, () => statuses(forgelog, project), {
        until: ({ later }) => later === status,
      });
    await is('running');
    socket.destroy();
    await is('pending');
    const other = await registerRunner(forgelog, project.runners_token);
    expect((await other.request())!.id).toBe(id);
    expect((await forgelog.get(`${of}/jobs/${id}`)).body).toMatchObject({ runner: { id: other.id } });
  },
);

test.each([-9, 9])(
  'a job has the times of the server where the clock of its runner is %d hours off',
  async (hours) => {
    const { forgelog, project, runner } = await start('build: {script: [make], artifacts: {paths: [out/]}}');
    const begin = Date.now();
    const wrong = new Date(begin + hours * 3_600_000);
    const headers = { Date: wrong.toUTCString() };
    const times = { started_at: wrong.toISOString(), finished_at: wrong.toISOString() };
    const agent = { token: null, headers };
    const asked = { token: runner.token, info: { name: 'protocol' }, ...times };
    const { body: job } = await forgelog.call('POST', '/jobs/request', { ...agent, json: asked });
    const form = new FormData();
    form.append('file', new Blob([Uint8Array.from(await zipOf({ 'out/a.txt': 'made' }))]), 'artifacts.zip');
    const described = 'artifact_type=archive&artifact_format=zip&expire_in=1 hour';
    const uploaded = await forgelog.call('POST', `/jobs/${job.id}/artifacts?${described}`, {
      ...{ token: null, body: form, headers: { ...headers, 'JOB-TOKEN': job.token } },
    });
    expect(uploaded.status).toBe(201);
    const done = { token: job.token, state: 'success', ...times };
    expect((await forgelog.call('PUT', `/jobs/${job.id}`, { ...agent, json: done })).status).toBe(200);

    const { body } = await forgelog.get(`/projects/${project.id}/jobs/${job.id}`);
    const seconds = (time: string) => (Date.parse(time) - begin) / 1000;
    const passed = seconds(new Date().toISOString());
    for (const time of [body.started_at, body.finished_at]) {
      expect(seconds(time)).toBeGreaterThanOrEqual(0);
      expect(seconds(time)).toBeLessThanOrEqual(passed);
    }
    expect(body.duration).toBeLessThanOrEqual(passed);
    const lasts = seconds(body.artifacts_expire_at) - 3600;
    expect([lasts >= 0, lasts <= passed]).toEqual([true, true]);
  },
);

test('a group keeps shared runners from the projects below it, until it lets them in again', async () => {
  const { forgelog, project } = await start('only: {script: [echo]}');
  const outer = (await forgelog.post('/groups', { name: 'Outer', path: 'outer' })).body.id;
  const below = { name: 'Inner', path: 'inner', parent_id: outer };
  const inner = (await forgelog.post('/groups', below)).body.id;
  await forgelog.put(`/projects/${project.id}/transfer`, { namespace: inner });
  const { token } = (await forgelog.post('/runners/reset_registration_token')).body;
  const shared = await registerRunner(forgelog, token);
  const allow = (shared_runners_setting: string) =>
    forgelog.put(`/groups/${outer}`, { shared_runners_setting });
  expect((await allow('disabled_and_unoverridable')).status).toBe(200);
  await forgelog.put(`/projects/${project.id}`, { shared_runners_enabled: false });
  await forgelog.put(`/projects/${project.id}`, { shared_runners_enabled: true });
  expect(await shared.request()).toBeUndefined();
  const waiting = shared.request('1');
  await allow('enabled');
  expect(await waiting).toMatchObject({ job_info: { name: 'only' } });
});

test('a group turns shared runners off, and each project below it may turn them on again', async () => {
  const { forgelog, project } = await start('only: {script: [echo]}');
  const group = (await forgelog.post('/groups', { name: 'Outer', path: 'outer' })).body.id;
  await forgelog.put(`/projects/${project.id}/transfer`, { namespace: group });
  const { token } = (await forgelog.post('/runners/reset_registration_token')).body;
  const shared = await registerRunner(forgelog, token);
  const isOn = async (id: number) => (await forgelog.get(`/projects/${id}`)).body.shared_runners_enabled;
  const setting = { shared_runners_setting: 'disabled_with_override' };
  expect((await forgelog.put(`/groups/${group}`, setting)).status).toBe(200);
  await expect.poll(() => isOn(project.id)).toBe(false);
  expect(await shared.request()).toBeUndefined();
  const created = { name: 'fresh', namespace_id: group };
  expect((await forgelog.post('/projects', created)).body.shared_runners_enabled).toBe(false);
  const other = { name: 'other', namespace_id: group, shared_runners_enabled: true };
  expect((await forgelog.post('/projects', other)).body.shared_runners_enabled).toBe(true);
  await forgelog.put(`/projects/${project.id}`, { shared_runners_enabled: true });
  expect(await shared.request()).toMatchObject({ job_info: { name: 'only' } });
});

test('a runner that asked before is refused once it is paused or removed', async () => {
  const { forgelog, project, runner } = await start('later: {script: [echo], when: manual}');
  expect([await runner.request(), await runner.request()]).toEqual([undefined, undefined]);
  await forgelog.put(`/runners/${runner.id}`, { active: false });
  const [{ id }] = (await forgelog.get(`/projects/${project.id}/jobs`)).body;
  await forgelog.post(`/projects/${project.id}/jobs/${id}/play`);
  expect(await runner.request()).toBeUndefined();
  expect((await forgelog.delete(`/runners/${runner.id}`)).status).toBe(204);
  await expect(runner.request()).rejects.toThrow('403');
});

test('a runner that waits is woken when it may do more', async () => {
  const { forgelog, runner } = await start('only: {script: [echo], tags: [docker]}');
  const waiting = runner.request('1');
  await forgelog.put(`/runners/${runner.id}`, { tag_list: ['docker'] });
  expect(await waiting).toMatchObject({ job_info: { name: 'only' } });
});

test('a runner that waits is woken when a project lets it in, also by a move to another group', async () => {
  const { forgelog, project, runner } = await start('only: {script: [echo], parallel: 2}');
  const of = `/projects/${project.id}`;
  await forgelog.put(`/runners/${runner.id}`, { active: false });
  await forgelog.put(of, { shared_runners_enabled: false });
  const { token } = (await forgelog.post('/runners/reset_registration_token')).body;
  const shared = (await registerRunner(forgelog, token)).request('1');
  await forgelog.put(of, { shared_runners_enabled: true });
  expect(await shared).toMatchObject({ job_info: { name: 'only 1/2' } });

  const { body: group } = await forgelog.post('/groups', { name: 'Builders', path: 'builders' });
  const ofGroup = (await registerRunner(forgelog, group.runners_token)).request('1');
  expect((await forgelog.put(`${of}/transfer`, { namespace: group.id })).status).toBe(200);
  expect(await ofGroup).toMatchObject({ job_info: { name: 'only 2/2' } });
});

// Apart, the service may stop before the gateway has passed the request on.
test.runIf(!process.env.TEST_PROCESSES)('a stop lets a waiting runner go', async () => {
  const { forgelog, runner } = await start('only: {script: [echo], tags: [docker]}');
  const held = runner.request('1');
  await forgelog.get('/version');
  await forgelog.stop();
  expect(await held).toBeUndefined();
});

test('a resource group that a paused replica granted once more is used by the first, and then by the second', async () => {
  const { forgelog, project, runner } = await start('deploy: {script: make, resource_group: production}');
  const { body: pipeline } = await forgelog.post(`/projects/${project.id}/pipeline`, { ref: 'main' });
  const jobsNow = async () =>
    (await forgelog.get(`/projects/${project.id}/jobs`)).body.map(({ status }: { status: string }) => status);
  await expect.poll(jobsNow).toEqual(['waiting_for_resource', 'pending']);
  const [{ id: jobId }] = (await forgelog.get(`/projects/${project.id}/jobs`)).body;
  // What the replica appends that read the group before the other one had granted it.
  const late = { type: 'GrantResource', jobId, projectId: project.id, iid: pipeline.iid } as const;
  const now = new Date().toISOString();
  const { commands } = forgelog.system.ports;
  await commands.handle(pipelineDecider, pipelineStream(late), { ...late, now }, SYSTEM_METADATA);
  await expect.poll(jobsNow).toEqual(['pending', 'pending']);
  const [one, other] = [await runner.request(), await runner.request()];
  expect([one?.id, other]).toEqual([jobId - 1, undefined]);
  await expect.poll(jobsNow).toEqual(['waiting_for_resource', 'running']);
  expect((await runner.update(one!, { state: 'success' })).status).toBe(200);
  await expect.poll(jobsNow).toEqual(['pending', 'success']);
  expect((await runner.request())?.id).toBe(jobId);
});
