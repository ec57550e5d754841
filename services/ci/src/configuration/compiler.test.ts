import { contextOf, type SampleEvent } from '@forgelog/ci-config/testing/sample.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { expect, onTestFinished, test } from 'vitest';
import type { CompilationTask, Sources } from './compilation.ts';
import { createCompiler } from './compiler.ts';
import { readDefinitions } from './definitions.ts';

const NO_SOURCES: Sources = {
  include: async () => ({ refused: 'no project' }),
  files: async () => ({ refused: 'no file' }),
  paths: async () => ({ paths: [], isComplete: true }),
  changedPaths: async () => null,
};

function started(options?: Parameters<typeof createCompiler>[0]) {
  const compiler = createCompiler(options);
  onTestFinished(() => compiler.stop());
  return (text: string, sources: Partial<Sources> = {}, event: SampleEvent = {}) =>
    compiler.compile(taskOf(text, event), { ...NO_SOURCES, ...sources }, 1);
}

const taskOf = (text: string, event: SampleEvent): CompilationTask => ({
  path: '.gitlab-ci.yml',
  text,
  origin: { project: '7', sha: 'f'.repeat(40) },
  context: contextOf(event),
  plans: true,
});

/** Reading it takes more than a second. */
const LONG = Array.from({ length: 50_000 }, (_, at) => `.j${at}: {a: [1]}`).join('\n');

test('a configuration is compiled to outlines of jobs, and to definitions for runners', async () => {
  const compile = started();
  const text = `
variables: {SHARED: all}
test:
  parallel: 2
  services: [{name: postgres, variables: {__proto__: odd}}]
  artifacts: {reports: {junit: [a.xml]}}
  script: [make, test]
deploy: {stage: deploy, script: ship, when: manual, environment: live}`;
  const { pipeline, ...rest } = await compile(text);
  expect(rest).toMatchObject({ errors: [], warnings: [], hasNoJobs: false });
  expect(rest.mergedYaml).toContain('ship');
  expect(pipeline!.stages).toEqual(['test', 'deploy']);
  expect(pipeline!.jobs.map(({ name, when }) => [name, when])).toEqual([
    ['test 1/2', 'on_success'],
    ['test 2/2', 'on_success'],
    ['deploy', 'manual'],
  ]);
  expect(pipeline!.jobs[0]).not.toHaveProperty('script');
  const { jobs, variables, predefined } = await readDefinitions(pipeline!.definitions);
  expect(predefined).toContainEqual(expect.objectContaining({ key: 'CI_COMMIT_REF_NAME', value: 'main' }));
  expect(variables).toMatchObject([{ key: 'SHARED', value: 'all' }]);
  const job = jobs.get('test 2/2')!;
  expect(job).toMatchObject({ script: ['make', 'test'], index: 2, total: 2 });
  expect(job.services[0]!.variables).toEqual(new Map([['__proto__', 'odd']]));
  expect(job.artifacts!.reports).toEqual(new Map([['junit', ['a.xml']]]));
  expect(job.variables).toMatchObject([{ key: 'SHARED', value: 'all' }]);
});

test('what many jobs share is stored once', async () => {
  const compile = started();
  const script = 'x'.repeat(500_000);
  const { pipeline } = await compile(`variables: {V: "${script}"}\nj: {parallel: 200, script: "${script}"}`);
  const { jobs } = await readDefinitions(pipeline!.definitions);
  expect(jobs.size).toBe(200);
  expect(pipeline!.definitions.length).toBeLessThan(20_000);
});

test('errors have their places, and say what creation would say', async () => {
  const compile = started();
  expect(await compile('j: {script: [[[1]]], tags: 1}')).toMatchObject({
    pipeline: null,
    errors: expect.arrayContaining([expect.stringMatching(/ \(\.gitlab-ci\.yml, line 1\)$/)]),
  });
  expect(await compile('j: {script: x, only: [tags]}')).toMatchObject({
    ...{ errors: ['No stages / jobs for this pipeline.'], hasNoJobs: true, pipeline: null },
  });
  const workflow = 'workflow: {rules: [{when: never}]}\nj: {script: x}';
  expect(await compile(workflow)).toMatchObject({
    ...{ errors: ['Pipeline filtered out by workflow rules.'], hasNoJobs: true, pipeline: null },
  });
  const many = Array.from({ length: 1001 }, (_, at) => `j${at}: {script: x}`).join('\n');
  expect((await compile(many)).errors[0]).toMatch(/^Pipeline has too many jobs!/);
});

test('files are asked of the process: includes by name and by pattern, paths for exists, changed paths', async () => {
  const compile = started();
  const asked: unknown[] = [];
  const files: Readonly<Record<string, string>> = {
    'ci/a.yml': 'a: {script: x}',
    'ci/b.yml': 'b: {script: x}',
    'top.yml': 't: {script: x, rules: [{exists: ["src/**/*.c"]}]}',
  };
  const sources: Partial<Sources> = {
    async files(paths, from) {
      asked.push(['files', paths, from.project]);
      return { files: paths.map((name) => ({ name, text: files[name]! })) };
    },
    async paths(folder, from) {
      asked.push(['paths', folder, from.project]);
      const paths = folder === 'ci' ? ['ci/b.yml', 'ci/a.yml', 'ci/c.txt', 'ci/deep/d.yml'] : ['src/x/y.c'];
      return { paths, isComplete: true };
    },
    async include(reference) {
      asked.push(reference);
      return { files: [{ name: 'p.yml', text: 'p: {script: x, rules: [{changes: [doc/*]}]}' }] };
    },
    changedPaths: async () => ['doc/x'],
  };
  const text =
    'include: [{local: "ci/*.yml"}, /top.yml, {project: a/b, file: p.yml}]\nn: {script: x, rules: [{exists: [absent]}]}';
  const { errors, pipeline } = await compile(text, sources);
  expect(errors).toEqual([]);
  expect(pipeline!.jobs.map(({ name }) => name)).toEqual(['a', 'b', 't', 'p']);
  expect(asked).toEqual([
    ['paths', 'ci', '7'],
    ['files', ['ci/a.yml', 'ci/b.yml'], '7'],
    ['files', ['top.yml'], '7'],
    { kind: 'project', project: 'a/b', ref: null, path: 'p.yml' },
    ['paths', 'src', '7'],
    ['paths', 'absent', '7'],
  ]);
});

test('a repository with more paths than are listed counts as having the file', async () => {
  const compile = started();
  const { pipeline } = await compile('j: {script: x, rules: [{exists: ["*.c"]}]}', {
    paths: async () => ({ paths: ['a'], isComplete: false }),
  });
  expect(pipeline!.jobs).toHaveLength(1);
});

test('a pattern with too many files is refused for their number', async () => {
  const compile = started();
  const paths = Array.from({ length: 101 }, (_, at) => `${at}.yml`);
  const { errors } = await compile('include: {local: "*.yml"}', {
    paths: async () => ({ paths, isComplete: true }),
  });
  expect(errors).toEqual([expect.stringContaining('Maximum of 100 nested includes are allowed!')]);
});

test('a configuration that takes too long is an error of it, and the next one is compiled', async () => {
  const slow = started({ deadlineMs: 300 });
  const { errors } = await slow(LONG);
  expect(errors).toEqual(['The configuration is too complex: reading it took more than 0.3 s']);
  const compile = started();
  expect((await compile('j: {script: x}')).errors).toEqual([]);
});

test('a configuration that takes too much memory is an error of it, and the next one is compiled', async () => {
  const compile = started({ megabytes: 40 });
  expect((await compile(LONG)).errors).toEqual([
    'The configuration is too complex: reading it takes too much memory',
  ]);
  expect((await compile('j: {script: x}')).errors).toEqual([]);
});

test('what a source refuses reaches the caller, and a source that is late is no error of the configuration', async () => {
  const compile = started({ deadlineMs: 5000 });
  const refusal = new Rejection('unavailable', { reason: 'the repository is busy' });
  const failing = compile('include: a.yml', { files: () => Promise.reject(refusal) });
  await expect(failing).rejects.toBe(refusal);
  const late = started({ deadlineMs: 1500 })('include: a.yml', { files: () => new Promise(() => {}) });
  await expect(late).rejects.toMatchObject({
    code: 'unavailable',
    details: { reason: 'files of the configuration did not arrive in time' },
  });
});
