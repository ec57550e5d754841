import { checkConfiguration, checkContent, checkText } from '@forgelog/contracts/ci/lint/lint.api.ts';
import { projectCreated } from '@forgelog/testing/sample-events.ts';
import { DEVELOPER, OUTSIDER, OWNER, REPORTER, team } from '@forgelog/testing/sample-team.ts';
import { expect, test } from 'vitest';
import type { SampleRepository } from '../testing/sample-repositories.slice.ts';
import { startCiSlices } from '../testing/start-ci-slices.ts';
import { lintSlice } from './lint.slice.ts';

const JOB = 'test: {script: make}';
const main = (files: Readonly<Record<string, string>>): SampleRepository => ({ branches: { main: files } });
const started = (repositories: Readonly<Record<number, SampleRepository>>) =>
  startCiSlices([lintSlice], repositories, [...team, projectCreated(8)]);

test("a project's configuration is checked at its default branch, or at the ref asked for", async () => {
  const { call } = await started({
    7: {
      branches: {
        main: {
          '.gitlab-ci.yml': 'include: [local: other.yml]\nb: {extends: .base}',
          'other.yml': '.base: {script: x}',
        },
        broken: { '.gitlab-ci.yml': 'test:\n  script: make\n  tags: 1' },
        bare: {},
      },
    },
  });
  const check = (more: object = {}) => call(checkConfiguration, { id: 7, ...more }, REPORTER);
  expect(await check()).toMatchObject({
    status: 200,
    body: { valid: true, errors: [], warnings: [], merged_yaml: expect.stringContaining('b:') },
    events: [],
  });
  expect((await check({ ref: 'broken' })).body).toMatchObject({
    valid: false,
    errors: [expect.stringMatching(/^jobs:test:tags config .* \(\.gitlab-ci\.yml, line 3\)$/)],
  });
  expect((await check({ ref: 'bare' })).body).toMatchObject({
    valid: false,
    errors: ['Missing CI config file'],
  });
  expect((await check({ ref: 'absent' })).body).toMatchObject({
    valid: false,
    errors: ['Reference not found'],
  });
});

test('a dry run tells what creation would refuse', async () => {
  const { call } = await started({
    7: {
      branches: { main: { '.gitlab-ci.yml': 'j: {script: x, only: [tags]}' } },
      ...{ protectedBranches: ['main'], pushers: [DEVELOPER] },
    },
  });
  const check = (dry_run: boolean, caller: number) => call(checkConfiguration, { id: 7, dry_run }, caller);
  expect((await check(false, DEVELOPER)).body).toMatchObject({ valid: true });
  expect((await check(true, DEVELOPER)).body).toMatchObject({
    ...{ valid: false, errors: ['No stages / jobs for this pipeline.'] },
    merged_yaml: expect.any(String),
  });
  const [refusal] = (await check(true, REPORTER)).body.errors;
  expect(refusal).toMatch(/^You do not have sufficient permission to run a pipeline on 'main'\./);
});

test('a text is checked in the place of a project, by those who may run pipelines', async () => {
  const { call } = await started({ 7: main({ 'in.yml': 'i: {script: x}' }), 8: { branches: {} } });
  const check = (content: string, caller: number | null = DEVELOPER, id = 7) =>
    call(checkContent, { id, content }, caller);
  const included = await check('include: in.yml');
  expect(included).toMatchObject({ status: 200, body: { valid: true, errors: [] } });
  expect(included.body.merged_yaml).toContain('i:');
  expect((await check('include: out.yml')).body).toMatchObject({
    ...{ valid: false, merged_yaml: null },
    errors: ['Local file `out.yml` does not exist! (.gitlab-ci.yml, line 1)'],
  });
  // Before the first push.
  expect((await check(JOB, OWNER, 8)).body).toMatchObject({ valid: true });
  const refused = [];
  for (const caller of [REPORTER, OUTSIDER, null]) refused.push((await check(JOB, caller)).status);
  expect(refused).toEqual([403, 404, 401]);
});

test('files of a project that the caller may not read are as missing as any', async () => {
  const secret = { branches: { main: { 'a.yml': 'secret: {script: x}' } }, readers: [OWNER] };
  const { call } = await started({ 7: main({}), 8: secret });
  const content = (project: string) => `include: {project: ${project}, file: /a.yml}`;
  const check = (project: string, caller: number) =>
    call(checkContent, { id: 7, content: content(project) }, caller);
  const hidden = await check('root/project-8', DEVELOPER);
  const { fullPath } = projectCreated(8).event.data as { fullPath: string };
  expect((await check(fullPath, OWNER)).body).toMatchObject({ valid: true });
  const of = (body: { errors: string[] }, path: string) =>
    body.errors.map((text) => text.replaceAll(path, 'P'));
  expect(of((await check(fullPath, DEVELOPER)).body, fullPath)).toEqual(of(hidden.body, 'root/project-8'));
  expect(hidden.body.errors[0]).toMatch(/not found or access denied!/);
});

test('values of variables never reach those who may not run pipelines', async () => {
  const { call } = await started({
    7: main({ '.gitlab-ci.yml': 'include: {local: "$CI_PROJECT_NAME-$KEY.yml"}' }),
  });
  const { body } = await call(checkConfiguration, { id: 7 }, REPORTER);
  expect(body.errors).toEqual([expect.stringMatching(/^Local file `[\w-]+-\.yml` does not exist!/)]);
});

test('a text without a project has no files and no variables', async () => {
  const { call } = await started({});
  const check = (content: string, more: object = {}) => call(checkText, { content, ...more }, OUTSIDER);
  expect(await check(JOB)).toMatchObject({
    status: 200,
    body: { status: 'valid', errors: [], warnings: [] },
  });
  expect((await check(JOB)).body).not.toHaveProperty('merged_yaml');
  const merged = await check(JOB, { include_merged_yaml: true });
  expect(merged.body).toMatchObject({ merged_yaml: expect.stringContaining('make') });
  expect((await check('include: {local: "*.yml"}')).body.errors).toEqual([
    'Local file `*.yml` does not exist! (.gitlab-ci.yml, line 1)',
  ]);
  expect((await check('include: https://example.com/a.yml')).body.errors).toEqual([
    expect.stringContaining('switched off (CI_REMOTE_INCLUDES)'),
  ]);
  expect((await check('include: {template: Any.gitlab-ci.yml}')).body.status).toBe('invalid');
  expect(await call(checkText, {}, OUTSIDER)).toMatchObject({
    status: 400,
    body: { error: 'content is missing' },
  });
});

test('the path of a configuration may lead to another project', async () => {
  const { fullPath } = projectCreated(8).event.data as { fullPath: string };
  const { call } = await started({
    7: { ...main({ '.gitlab-ci.yml': 'own: {script: x}' }), configPath: `ci/all.yml@${fullPath}:other` },
    8: { branches: { main: {}, other: { 'ci/all.yml': 'shared: {script: x}' } } },
  });
  const { body } = await call(checkConfiguration, { id: 7 }, OWNER);
  expect(body).toMatchObject({ valid: true, merged_yaml: expect.stringContaining('shared:') });
});
