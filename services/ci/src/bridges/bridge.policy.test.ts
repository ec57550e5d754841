import { retryPipeline } from '@forgelog/contracts/ci/pipelines/pipeline.api.ts';
import { unavailable } from '@forgelog/service-kit/unavailable.ts';
import { DEVELOPER, OUTSIDER, OWNER } from '@forgelog/testing/sample-team.ts';
import { expect, test } from 'vitest';
import { artifactObject } from '../objects/object-keys.ts';
import { zipOf } from '../testing/sample-archive.ts';
import { startBridges as start, toOther } from '../testing/start-bridges.ts';
import { failed, passed } from '../testing/start-pipelines.ts';

test('a bridge starts one pipeline of another project, as its user, and succeeds', async () => {
  const { listed, bridges } = await start(toOther(', branch: release/1'));
  expect(await bridges()).toEqual(['success']);
  const [upstream, ...downstream] = await listed();
  expect(upstream).toMatchObject({ projectId: 7, status: 'success' });
  expect(downstream).toMatchObject([
    {
      ...{ projectId: 8, ref: 'release/1', source: 'pipeline', actorId: DEVELOPER, status: 'pending' },
      ...{ parentProjectId: 7, parentPipelineId: upstream!.id, parentJobId: 1 },
    },
  ]);
});

test('a bridge that waits for a stage starts its pipeline then', async () => {
  const { act, listed, bridges } = await start(`
build: {script: make, stage: build}
deploy: {stage: deploy, trigger: user1/project8}`);
  expect(await bridges()).toEqual(['created']);
  await act(7, 1, { type: 'StartJob', jobId: 1, runnerId: 5 });
  const ended = { exitCode: 0, coverage: null, newJobId: null, failureReason: null };
  await act(7, 1, { type: 'CompleteJob', jobId: 1, outcome: 'success', ...ended });
  expect(await bridges()).toEqual(['success']);
  expect(await listed()).toHaveLength(2);
});

test('a bridge whose resource group was granted twice waits for the bridge that has it first', async () => {
  const bridge = '{trigger: {project: user1/project8, strategy: depend}, resource_group: production}';
  const { act, listed, bridges } = await start(`one: ${bridge}\nother: ${bridge}`);
  for (const jobId of [1, 2]) await act(7, 1, { type: 'GrantResource', jobId });
  expect(await bridges()).toEqual(['running', 'waiting_for_resource']);
  expect(await listed()).toHaveLength(2);
  await act(7, 1, { type: 'CancelJob', jobId: 1 });
  await act(7, 1, { type: 'GrantResource', jobId: 2 });
  expect(await bridges()).toEqual(['canceled', 'running']);
  expect(await listed()).toHaveLength(3);
});

test('a child is compiled from the included files of the same commit', async () => {
  const { listed, bridges } = await start('parts: {trigger: {include: [one.yml, {local: two.yml}]}}', {
    files: { 'one.yml': 'one: {script: make}', 'two.yml': 'two: {stage: deploy, script: make}' },
  });
  expect(await bridges()).toEqual(['success']);
  const [upstream, child] = await listed();
  expect(child).toMatchObject({
    ...{ projectId: 7, ref: 'main', sha: upstream!.sha, source: 'parent_pipeline' },
    ...{ stages: ['test', 'deploy'], parentPipelineId: upstream!.id },
  });
});

test('a child is compiled from a file that a job made', async () => {
  const { act, listed, bridges, objects } = await start(`
make: {script: make, stage: build, artifacts: {paths: [made.yml]}}
child: {stage: test, trigger: {include: [{artifact: out/made.yml, job: make}]}}`);
  const zip = await zipOf({ 'out/made.yml': 'made: {stage: deploy, script: make}' });
  const key = (sha256: string) =>
    artifactObject({ projectId: 7, pipelineId: 1, jobId: 1 }, 'archive', sha256);
  const { size, sha256 } = await objects.put(key, zip, { maxBytes: zip.length });
  await act(7, 1, { type: 'StartJob', jobId: 1, runnerId: 5 });
  const file = { fileType: 'archive', fileFormat: 'zip', filename: 'artifacts.zip' } as const;
  await act(7, 1, { type: 'AddArtifact', jobId: 1, ...file, size, sha256, expiresAt: null });
  const ended = { exitCode: 0, coverage: null, newJobId: null, failureReason: null };
  await act(7, 1, { type: 'CompleteJob', jobId: 1, outcome: 'success', ...ended });
  expect(await bridges()).toEqual(['success']);
  expect((await listed())[1]).toMatchObject({ source: 'parent_pipeline', stages: ['deploy'] });
});

test('children have children, two levels deep', async () => {
  const { listed, bridges } = await start('again: {trigger: {include: again.yml}}', {
    files: { 'again.yml': 'again: {trigger: {include: again.yml}}' },
  });
  expect(await listed()).toHaveLength(3);
  expect(await bridges()).toEqual(['success', 'success', 'failed: reached_max_descendant_pipelines_depth']);
});

test('projects that start each other come to an end', async () => {
  const { listed, bridges } = await start(toOther(), { other: 'back: {trigger: user1/project7}' });
  expect(await listed()).toHaveLength(2);
  expect(await bridges()).toEqual(['success', 'failed: invalid_bridge_trigger']);
});

test.each([
  ['an unknown project', 'a: {trigger: user1/nobody}', 'downstream_bridge_project_not_found'],
  [
    'a project that its user may not see',
    'a: {trigger: user1/project9}',
    'downstream_bridge_project_not_found',
  ],
  [
    'a project in which its user may not run',
    'a: {trigger: user1/project10}',
    'insufficient_bridge_permissions',
  ],
  ['its own project', 'a: {trigger: user1/project7}', 'invalid_bridge_trigger'],
  ['an unknown branch', toOther(', branch: gone'), 'downstream_pipeline_creation_failed'],
  ['a missing file', 'a: {trigger: {include: gone.yml}}', 'downstream_pipeline_creation_failed'],
  [
    'a file that no job made',
    'a: {needs: [], stage: deploy, trigger: {include: {artifact: made.yml, job: build}}}\nbuild: {script: make}',
    'downstream_pipeline_creation_failed',
  ],
])('a bridge to %s fails at once, and says why', async (_case, configuration, reason) => {
  const { bridges } = await start(configuration);
  expect(await bridges()).toEqual([`failed: ${reason}`]);
});

test('an invalid configuration downstream is a failed pipeline that the bridge names', async () => {
  const { listed, bridges } = await start(toOther(', strategy: depend'), { other: 'build: {stage: gone}' });
  expect(await bridges()).toEqual(['failed: downstream_pipeline_creation_failed']);
  expect((await listed())[1]).toMatchObject({ projectId: 8, status: 'failed', hasYamlErrors: true });
});

test('variables of the configuration are passed on, and others where the trigger says so', async () => {
  const bridge = (forward: string) => `
variables: {ROOT: of the root}
deploy:
  variables: {OWN: $CI_COMMIT_REF_NAME of $UNKNOWN}
  trigger: {project: user1/project8${forward}}`;
  const own = { ROOT: 'of the root', OWN: 'main of $UNKNOWN' };
  expect(await (await start(bridge(''))).variables()).toEqual([own]);
  const all = await start(bridge(', forward: {pipeline_variables: true}'));
  expect(await all.variables()).toEqual([{ ...own, GIVEN: 'by hand' }]);
  const none = await start(bridge(', forward: {yaml_variables: false}'));
  expect(await none.variables()).toEqual([{}]);
});

test.each(['success', 'failed', 'canceled'] as const)(
  'a bridge with strategy: depend ends as its pipeline, %s',
  async (outcome) => {
    const { act, listed, bridges } = await start(toOther(', strategy: depend'));
    expect(await bridges()).toEqual(['running']);
    expect((await listed())[0]!.status).toBe('running');
    await act(8, 1, { type: 'StartJob', jobId: 2, runnerId: 5 });
    expect(await bridges()).toEqual(['running']);
    if (outcome === 'canceled') await act(8, 1, { type: 'CancelPipeline' });
    else {
      const failureReason = outcome === 'failed' ? ('script_failure' as const) : null;
      const ended = { exitCode: null, coverage: null, newJobId: null, failureReason };
      await act(8, 1, { type: 'CompleteJob', jobId: 2, outcome, ...ended });
    }
    expect(await bridges()).toEqual([outcome === 'failed' ? 'failed: unknown_failure' : outcome]);
    expect((await listed()).map(({ status }) => status)).toEqual([outcome, outcome]);
  },
);

test('a bridge waits for a service that is away, but not for ever', async () => {
  const away = unavailable('the repositories cannot be read', 5);
  const first = await start(toOther());
  await expect(first.retriedAfter(14, away)).rejects.toBe(away);
  expect(await first.bridges()).toEqual(['success', 'pending']);
  const second = await start(toOther());
  await second.retriedAfter(16, away);
  expect(await second.bridges()).toEqual(['success', 'failed: downstream_pipeline_creation_failed']);
});

test('a retried bridge starts another pipeline', async () => {
  const { act, listed } = await start(toOther());
  await act(7, 1, { type: 'RetryJob', jobId: 1, newJobId: 90, userId: DEVELOPER });
  expect((await listed()).map(({ parentJobId }) => parentJobId)).toEqual([null, 1, 90]);
});

test('a bridge runs again when somebody retries its pipeline, and ends as it does then', async () => {
  const { act, call, bridges, listed, relay } = await start(toOther(', strategy: depend'));
  await act(8, 1, { type: 'StartJob', jobId: 2, runnerId: 5 });
  await act(8, 1, { ...failed, jobId: 2 });
  expect(await bridges()).toEqual(['failed: unknown_failure']);
  await relay(await call(retryPipeline, { id: 8, pipeline_id: 2 }, DEVELOPER), DEVELOPER);
  expect(await bridges()).toEqual(['running']);
  expect((await listed()).map(({ status }) => status)).toEqual(['running', 'pending']);
  await act(8, 1, { type: 'StartJob', jobId: 3, runnerId: 5 });
  await act(8, 1, { ...passed, jobId: 3 });
  expect(await bridges()).toEqual(['success']);
  expect((await listed()).map(({ status }) => status)).toEqual(['success', 'success']);
});

test('somebody who may not retry the bridge does not make it run again', async () => {
  const { act, call, bridges, relay } = await start(toOther(', strategy: depend'));
  await act(8, 1, { type: 'CancelPipeline' });
  expect(await bridges()).toEqual(['canceled']);
  await relay(await call(retryPipeline, { id: 8, pipeline_id: 2 }, OWNER), OUTSIDER);
  expect(await bridges()).toEqual(['canceled']);
});

test('a family of pipelines has a bound', async () => {
  const { act, fill, bridges, listed } = await start('a: {trigger: {include: one.yml}}', {
    files: { 'one.yml': 'one: {script: make}' },
  });
  expect(await listed()).toHaveLength(2);
  await fill(997, { pipelineId: 1, projectId: 7, jobId: 1 });
  await act(7, 1, { type: 'RetryJob', jobId: 1, newJobId: 90, userId: DEVELOPER });
  expect(await bridges()).toEqual(['success', 'success']);
  await act(7, 1, { type: 'RetryJob', jobId: 90, newJobId: 91, userId: DEVELOPER });
  expect(await bridges()).toEqual(['success', 'success', 'failed: reached_max_pipeline_hierarchy_size']);
});
