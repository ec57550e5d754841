import type { Principal } from '@forgelog/service-kit/principal.ts';
import { on, type StreamedEvent } from '@forgelog/testing/sample-events.ts';
import { DEVELOPER, OWNER, REPORTER, team } from '@forgelog/testing/sample-team.ts';
import { expect, test } from 'vitest';
import { jobSlice } from '../jobs/job.slice.ts';
import { jobs } from '../jobs/jobs.collection.ts';
import { createCiPorts } from '../ports.ts';
import { type SampleRepository, sampleSha } from '../testing/sample-repositories.slice.ts';
import { startCiSlices } from '../testing/start-ci-slices.ts';
import { loadDefinitions } from './definitions-object.ts';
import { givenVariables } from './given-variables.ts';
import { pipelineSlice } from './pipeline.slice.ts';
import type { NewPipeline } from './pipeline-creation.commands.ts';
import { pipelines } from './pipelines.projection.ts';

const userOf = (userId: number): Principal => ({
  ...{ userId, username: `user${userId}`, name: 'A user', email: 'user@example.com' },
  ...{ isAdmin: false, external: false, scopes: ['api'], onBehalfBy: null },
  credential: { kind: 'personal_access_token', id: 1 },
});

const CONFIGURATION = `
build: {stage: build, script: make, tags: [linux]}
test: {script: make test, needs: [build], timeout: 10 minutes, retry: 1}
deploy: {stage: deploy, script: ship, environment: live, when: manual}
trigger: {stage: deploy, trigger: group/other}`;

async function started(
  repository: Partial<SampleRepository> = {},
  content = CONFIGURATION,
  given: readonly StreamedEvent[] = [],
) {
  const running = await startCiSlices(
    [pipelineSlice, jobSlice],
    { 7: { branches: { main: { '.gitlab-ci.yml': content }, bare: {} }, ...repository } },
    [...team, ...given],
  );
  const { ci } = running;
  const create = (more: Partial<NewPipeline> = {}) =>
    ci.pipelineCreation.create({
      ...{ projectId: 7, user: userOf(DEVELOPER), source: 'api', ref: 'main', invalid: 'refused' },
      ...more,
    });
  const all = () => ci.readStore.find(pipelines, { limit: 100 });
  return { ...running, create, all };
}

test('a pipeline is created with its jobs, and its definitions are stored', async () => {
  const { create, ci } = await started();
  const created = await create({ beforeSha: 'e'.repeat(40) });
  expect(created).toEqual({ projectId: 7, pipelineId: 1, iid: 1 });
  const row = (await ci.readStore.get(pipelines, 1))!;
  expect(row).toMatchObject({
    ...{ ref: 'main', refKind: 'branch', sha: sampleSha('main'), beforeSha: 'e'.repeat(40) },
    ...{ source: 'api', actorId: DEVELOPER, status: 'pending', yamlErrors: null, causeId: null },
    ...{ configPath: '.gitlab-ci.yml', stages: ['build', 'test', 'deploy'] },
  });
  const made = await ci.readStore.find(jobs, { limit: 100 });
  expect(made.map(({ name, status }) => [name, status])).toEqual([
    ['build', 'pending'],
    ['test', 'created'],
    ['deploy', 'created'],
    ['trigger', 'created'],
  ]);
  const { jobs: definitions } = await loadDefinitions(ci.objects, created, row.definitions!);
  expect(definitions.get('test')).toMatchObject({ script: ['make test'], timeout: 600 });
  expect(await create()).toEqual({ projectId: 7, pipelineId: 2, iid: 2 });
});

test('given variables count in conditions, are stored for runners, and no event shows them', async () => {
  const text = 'j: {script: x, rules: [{if: $GO == "yes please"}]}';
  const { create, ci } = await started({}, text);
  const variables = [
    { key: 'GO', value: 'no', type: 'env_var' as const },
    { key: 'GO', value: 'yes please', type: 'env_var' as const },
  ];
  const place = await create({ variables });
  const { sealedVariables } = (await ci.readStore.get(pipelines, place.pipelineId))!;
  expect(sealedVariables).not.toContain('yes please');
  expect(givenVariables(ci).open(place, sealedVariables)).toEqual(variables);
  const other = { projectId: 7, iid: 9 };
  expect(() => givenVariables(ci).open(other, sealedVariables)).toThrow(/belongs to another place/);
});

const refusal = (...base: string[]) => ({ code: 'validation_failed', details: { fields: { base } } });

test('what there is no pipeline for is refused in the words that clients know', async () => {
  const { create, all } = await started();
  await expect(create({ ref: 'absent' })).rejects.toMatchObject(refusal('Reference not found'));
  await expect(create({ ref: 'bare' })).rejects.toMatchObject(refusal('Missing CI config file'));
  const noRights = refusal('Insufficient permissions to create a new pipeline');
  await expect(create({ user: userOf(REPORTER) })).rejects.toMatchObject(noRights);
  await expect(create({ projectId: 99 })).rejects.toMatchObject(noRights);
  expect(await all()).toEqual([]);
});

test.each([
  ['j: {script: x, only: [tags]}', 'No stages / jobs for this pipeline.'],
  ['workflow: {rules: [{when: never}]}\nj: {script: x}', 'Pipeline filtered out by workflow rules.'],
  ['', 'Missing CI config file'],
  ['  \n', 'Missing CI config file'],
])('%j makes no pipeline, even where invalid ones are recorded', async (text, message) => {
  const { create, all } = await started({}, text);
  for (const invalid of ['refused', 'recorded'] as const)
    await expect(create({ invalid })).rejects.toMatchObject(refusal(message));
  expect(await all()).toEqual([]);
});

test('an invalid configuration is refused, or recorded as a failed pipeline', async () => {
  const { create, all } = await started({}, 'j: {script: x, tags: 1}');
  const message = expect.stringMatching(/^jobs:j:tags config .*line 1\)$/);
  await expect(create()).rejects.toMatchObject({ details: { fields: { base: [message] } } });
  expect(await all()).toEqual([]);
  await create({ invalid: 'recorded' });
  expect(await all()).toMatchObject([{ status: 'failed', yamlErrors: message, definitions: null }]);
});

test('a configuration that is too large for the log is refused, or recorded', async () => {
  const jobs = Array.from(
    { length: 900 },
    (_, at) => `${'n'.repeat(240)}${at}: {script: x, tags: [${'t'.repeat(700)}]}`,
  );
  const { create, all } = await started({}, jobs.join('\n'));
  const message = expect.stringMatching(/^The pipeline is too large/);
  await expect(create()).rejects.toMatchObject({ details: { fields: { base: [message] } } });
  expect(await all()).toEqual([]);
  await create({ invalid: 'recorded' });
  expect(await all()).toMatchObject([{ status: 'failed', yamlErrors: message }]);
});

test('a variable that cannot be opened is an error of the pipeline, and not told', async () => {
  const variable = {
    ...{ variableId: 1, projectId: 7, groupId: null, key: 'KEY', variableType: 'env_var' },
    ...{ sealedValue: '1.damaged', protected: false, masked: false, environmentScope: '*', isMaskable: true },
  };
  const added = on('variables-project-7', { type: 'CiVariableAdded', data: variable });
  const { create, all } = await started({}, CONFIGURATION, [added]);
  const message = expect.stringMatching(/^The value of a CI variable cannot be read/);
  await expect(create()).rejects.toMatchObject({ details: { fields: { base: [message] } } });
  await create({ invalid: 'recorded' });
  expect(await all()).toMatchObject([{ status: 'failed', yamlErrors: message }]);
});

test('a protected ref is for those who may push to it', async () => {
  const { create } = await started({ protectedBranches: ['main'], pushers: [OWNER] });
  await expect(create()).rejects.toMatchObject({
    details: { fields: { base: [expect.stringMatching(/^You do not have sufficient permission/)] } },
  });
  expect(await create({ user: userOf(OWNER) })).toMatchObject({ iid: 1 });
});

test('a cause makes one pipeline of a ref, however often and however fast it is asked for', async () => {
  const { create, all } = await started({
    branches: { main: { '.gitlab-ci.yml': 'j: {script: x}' }, other: { '.gitlab-ci.yml': 'j: {script: x}' } },
  });
  const causeId = '01932c5e-7f0a-7cc0-9d0e-3c1f7d2f9a10';
  const together = await Promise.all([create({ causeId }), create({ causeId }), create({ causeId })]);
  expect(together).toEqual(Array(3).fill({ projectId: 7, pipelineId: 1, iid: 1 }));
  expect(await create({ causeId })).toEqual(together[0]);
  expect(await create({ causeId, ref: 'other' })).toMatchObject({ iid: 2 });
  expect(await all()).toMatchObject([{ causeId }, { causeId, ref: 'other' }]);
});

test('two processes with one cause make one pipeline', async () => {
  const { create, ci, all } = await started();
  const causeId = '01932c5e-7f0a-7cc0-9d0e-3c1f7d2f9a10';
  const other = createCiPorts(ci);
  const asked: NewPipeline = {
    ...{ projectId: 7, user: userOf(DEVELOPER), source: 'push', ref: 'main', invalid: 'recorded', causeId },
  };
  const made = await Promise.all([create({ causeId }), other.pipelineCreation.create(asked)]);
  await other.compiler.stop();
  expect(made[0].iid).toBe(made[1].iid);
  expect(await all()).toHaveLength(1);
});

test('where a project restricts variables, developers give none, and the payload of a trigger counts as none', async () => {
  const { create, all } = await started({ restrictsVariables: true });
  const variables = [{ key: 'GO', value: 'yes', type: 'env_var' as const }];
  await expect(create({ variables })).rejects.toMatchObject({
    body: { message: { base: ['Insufficient permissions to set pipeline variables'] } },
  });
  await create({ source: 'trigger', triggerPayload: '{}' });
  await create({ variables, user: userOf(OWNER) });
  expect(await all()).toHaveLength(2);
});
