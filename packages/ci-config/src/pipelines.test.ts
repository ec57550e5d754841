import { describe, expect, test } from 'vitest';
import { compile } from './compile.ts';
import {
  compileText,
  contextOf,
  errorsOf,
  jobsOf,
  namesOf,
  pipelineOf,
  type SampleEvent,
} from './testing/sample.ts';

interface Case {
  /** What public configurations use, and for what. */
  feature: string;
  text: string;
  event?: SampleEvent;
  jobs: string[];
}

const mergeRequest: SampleEvent = {
  source: 'merge_request_event',
  refKind: 'merge_request',
  ref: 'refs/merge-requests/1/head',
};
const tag = (ref: string): SampleEvent => ({ ref, refKind: 'tag' });
const branch = (ref: string): SampleEvent => ({ ref });

/** Written after what configurations of public projects do, and what their authors expect of it. */
const CASES: Case[] = [
  {
    feature: 'stages give the order, not the text',
    text: 'stages: [a, b]\ny: {stage: b, script: x}\nx: {stage: a, script: x}\nz: {stage: b, script: x}',
    jobs: ['x', 'y', 'z'],
  },
  {
    feature: 'stages of their own accord: build, test, deploy',
    text: 'd: {stage: deploy, script: x}\nt: {script: x}\nb: {stage: build, script: x}',
    jobs: ['b', 't', 'd'],
  },
  {
    feature: '.pre and .post are there without a word',
    text: 'z: {stage: .post, script: x}\nt: {script: x}\na: {stage: .pre, script: x}',
    jobs: ['a', 't', 'z'],
  },
  {
    feature: 'jobs of .pre and .post alone make no pipeline',
    text: 'a: {stage: .pre, script: x}\nz: {stage: .post, script: x}',
    jobs: ['empty', 'No stages / jobs for this pipeline.'],
  },
  {
    feature: 'types and type in files of old',
    text: 'types: [a, b]\ny: {type: b, script: x}\nx: {type: a, script: x}',
    jobs: ['x', 'y'],
  },
  {
    feature: 'anchors of hidden jobs, merged',
    text: '.t: &t {stage: build, tags: [x]}\nj:\n  <<: *t\n  script: make',
    jobs: ['j'],
  },
  { feature: 'anchors of lists, in a list', text: '.s: &s [a, b]\nj: {script: [*s, c]}', jobs: ['j'] },
  {
    feature: 'a hidden job for each distribution, extended by each job',
    text: '.gcc: {script: make}\n.fedora: {extends: .gcc, image: fedora}\nfedora-33: {extends: .fedora}\nfedora-34: {extends: .fedora}',
    jobs: ['fedora-33', 'fedora-34'],
  },
  {
    feature: 'a job without conditions is for branches and tags, not for merge requests',
    text: 'j: {script: x}',
    event: mergeRequest,
    jobs: ['empty', 'No stages / jobs for this pipeline.'],
  },
  {
    feature: 'only: merge_requests',
    text: 'mr: {script: x, only: [merge_requests]}\npush: {script: x}',
    event: mergeRequest,
    jobs: ['mr'],
  },
  {
    feature: 'only: branches by name',
    text: 'm: {script: x, only: [main]}\nd: {script: x, only: [develop]}',
    jobs: ['m'],
  },
  {
    feature: 'only: tags',
    text: 't: {script: x, only: [tags]}\nb: {script: x, only: [branches]}',
    event: tag('v1.0'),
    jobs: ['t'],
  },
  {
    feature: 'only: a pattern of tags',
    text: 'r: {script: x, only: ["/^v\\\\d+\\\\.\\\\d+$/"], except: [branches]}\nn: {script: x, only: [/^nightly/]}',
    event: tag('v1.0'),
    jobs: ['r'],
  },
  {
    feature: 'except: tags',
    text: 'j: {script: x, except: [tags]}\nk: {script: x}',
    event: tag('v1'),
    jobs: ['k'],
  },
  {
    feature: 'except: a pattern with a slash and a flag',
    text: 'j: {script: x, except: ["/^WIP\\\\/.*$/i"]}\nk: {script: x}',
    event: branch('wip/x'),
    jobs: ['k'],
  },
  {
    feature: 'only: schedules',
    text: 's: {script: x, only: [schedules]}\np: {script: x, except: [schedules]}',
    event: { source: 'schedule' },
    jobs: ['s'],
  },
  {
    feature: 'only: web, api, triggers and pipelines',
    text: 'w: {script: x, only: [web]}\na: {script: x, only: [api]}\nt: {script: x, only: [triggers]}\np: {script: x, only: [pushes, pipelines]}',
    event: { source: 'trigger' },
    jobs: ['t'],
  },
  {
    feature: 'only: the main repository and not its forks',
    text: 'u: {script: x, only: [main@acme/web]}\nf: {script: x, only: [main@other/web]}\nb: {script: x, only: [branches@acme/web]}\nr: {script: x, only: [/^ma/@other/web]}',
    jobs: ['u', 'b'],
  },
  {
    feature: 'only: variables',
    text: 'a: {script: x, only: {variables: [$DEPLOY == "yes", $FORCE]}}\nb: {script: x, only: {refs: [tags], variables: [$DEPLOY]}}',
    event: { given: { DEPLOY: 'yes' } },
    jobs: ['a'],
  },
  {
    feature: 'only: changes',
    text: 'd: {script: x, only: {changes: [docs/**/*]}}\nc: {script: x, only: {changes: ["src/*.c"]}}',
    event: { changed: ['docs/a/b.md'] },
    jobs: ['d'],
  },
  {
    feature: 'only: changes of a new branch, which changed everything',
    text: 'd: {script: x, only: {changes: [docs/**/*]}}',
    event: { changed: null },
    jobs: ['d'],
  },
  {
    feature: 'except: changes',
    text: 'd: {script: x, except: {changes: ["*.md"]}}\ne: {script: x}',
    event: { changed: ['README.md'] },
    jobs: ['e'],
  },
  {
    feature: 'only: kubernetes',
    text: 'k: {script: x, only: {kubernetes: active}}\nj: {script: x}',
    jobs: ['j'],
  },
  {
    feature: 'rules: if, the first that fits counts',
    text: 'j:\n  script: x\n  rules:\n  - {if: $CI_PIPELINE_SOURCE == "merge_request_event", when: manual}\n  - {if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH}\n  - {when: never}',
    jobs: ['j'],
  },
  {
    feature: 'rules: if with a merge request',
    text: 'j: {script: x, rules: [{if: $CI_PIPELINE_SOURCE == "merge_request_event"}]}\nk: {script: x, rules: [{if: $CI_COMMIT_TAG}]}',
    event: mergeRequest,
    jobs: ['j'],
  },
  {
    feature: 'rules: if with a pattern of version tags',
    text: "j: {script: x, rules: [{if: '$CI_COMMIT_TAG =~ /^v\\d+\\.\\d+\\.\\d+$/'}]}\nk: {script: x, rules: [{if: '$CI_COMMIT_TAG !~ /-rc/', when: manual}]}",
    event: tag('v1.2.3'),
    jobs: ['j', 'k: manual'],
  },
  {
    feature: 'rules: exists',
    text: 'docker: {script: x, rules: [{exists: [Dockerfile, "**/Dockerfile"]}]}\ngo: {script: x, rules: [{exists: [go.mod]}]}',
    event: { files: ['images/app/Dockerfile'] },
    jobs: ['docker'],
  },
  {
    feature: 'rules: changes and if together',
    text: 'j: {script: x, rules: [{if: $CI_COMMIT_BRANCH, changes: [Gemfile.lock]}]}\nk: {script: x, rules: [{if: $CI_COMMIT_TAG, changes: [Gemfile.lock]}]}',
    event: { changed: ['Gemfile.lock'] },
    jobs: ['j'],
  },
  {
    feature: 'rules: changes with a variable in the path',
    text: 'j: {script: x, variables: {DIR: app}, rules: [{changes: [$DIR/**/*]}]}',
    event: { changed: ['app/x/y'] },
    jobs: ['j'],
  },
  {
    feature: 'rules: delayed, always and on_failure',
    text: 'a: {script: x, rules: [{when: delayed, start_in: 5 minutes}]}\nb: {script: x, rules: [{if: $CI, when: always}]}\nc: {script: x, rules: [{if: $CI, when: on_failure}]}',
    jobs: ['a: delayed', 'b: always', 'c: on_failure'],
  },
  {
    feature: 'rules: when of the job where the rule says nothing',
    text: 'j: {script: x, when: manual, rules: [{if: $CI}]}',
    jobs: ['j: manual'],
  },
  { feature: 'rules: none at all is never', text: 'j: {script: x, rules: []}\nk: {script: x}', jobs: ['k'] },
  {
    feature: 'rules by reference, with more after them',
    text: '.r: {rules: [{if: $CI_COMMIT_TAG, when: never}]}\nj: {script: x, rules: [!reference [.r, rules], {if: $CI_COMMIT_REF_NAME}]}',
    event: tag('v1'),
    jobs: ['empty', 'No stages / jobs for this pipeline.'],
  },
  {
    feature: 'workflow: merge requests and the default branch',
    text: 'workflow: {rules: [{if: $CI_MERGE_REQUEST_IID}, {if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH}]}\nj: {script: x}',
    event: branch('topic'),
    jobs: ['filtered', 'Pipeline filtered out by workflow rules.'],
  },
  {
    feature: 'workflow: no draft',
    text: 'workflow: {rules: [{if: "$CI_COMMIT_TITLE =~ /page$/", when: never}, {when: always}]}\nj: {script: x}',
    jobs: ['filtered', 'Pipeline filtered out by workflow rules.'],
  },
  {
    feature: 'workflow rules let jobs without conditions into merge requests',
    text: 'workflow: {rules: [{when: always}]}\nj: {script: x}',
    event: mergeRequest,
    jobs: ['j'],
  },
  {
    feature: 'workflow: variables of the rule',
    text: 'variables: {ENV: dev}\nworkflow: {rules: [{if: $CI_COMMIT_BRANCH == "main", variables: {ENV: prod}}, {when: always}]}\np: {script: x, rules: [{if: $ENV == "prod"}]}\nd: {script: x, rules: [{if: $ENV == "dev"}]}',
    jobs: ['p'],
  },
  { feature: 'parallel: a number', text: 'j: {script: x, parallel: 3}', jobs: ['j 1/3', 'j 2/3', 'j 3/3'] },
  {
    feature: 'parallel: a matrix of several rows',
    text: 'j: {script: x, parallel: {matrix: [{PROVIDER: aws, STACK: [mon, app]}, {PROVIDER: [gcp], STACK: [data]}]}}',
    jobs: ['j: [aws, mon]', 'j: [aws, app]', 'j: [gcp, data]'],
  },
  {
    feature: 'a matrix whose values decide in rules',
    text: 'j: {script: x, parallel: {matrix: [{OS: [linux, windows]}]}, rules: [{if: $OS == "linux"}, {if: $CI_COMMIT_TAG}]}',
    jobs: ['j: [linux]'],
  },
  {
    feature: 'names with spaces, plus signs, colons and slashes',
    text: '"build:edge+flambda": {script: x}\n"clang 10 (on corona)": {script: x}\n"ci/a b": {script: x}',
    jobs: ['build:edge+flambda', 'clang 10 (on corona)', 'ci/a b'],
  },
  {
    feature: 'pages',
    text: 'pages: {script: x, artifacts: {paths: [public]}, only: [main]}',
    jobs: ['pages'],
  },
  {
    feature: 'a child pipeline and one of another project',
    text: 'child: {trigger: {include: ci/child.yml, strategy: depend}}\nother: {trigger: acme/api, only: [main]}',
    jobs: ['child', 'other'],
  },
  {
    feature: 'manual deploys with environments',
    text: 'd: {stage: deploy, script: x, environment: {name: production, url: "https://x.example"}, when: manual, only: [main]}',
    jobs: ['d: manual'],
  },
  {
    feature: 'review apps with the job that stops them',
    text: 'review: {script: x, environment: {name: review/$CI_COMMIT_REF_SLUG, on_stop: stop, auto_stop_in: 1 week}}\nstop: {script: x, when: manual, environment: {name: review/$CI_COMMIT_REF_SLUG, action: stop}}',
    jobs: ['review', 'stop: manual'],
  },
  {
    feature: 'a pipeline asked for by a variable',
    text: 'bench: {script: x, rules: [{if: \'$BENCH == "1"\'}, {when: manual}]}',
    event: { given: { BENCH: '1' } },
    jobs: ['bench'],
  },
  {
    feature: 'a text where a pattern belongs',
    text: 'j: {script: x, rules: [{if: $CI_PIPELINE_SOURCE =~ "push"}]}',
    jobs: ['j'],
  },
  {
    feature: 'variables of the project that switch jobs off',
    text: 'j: {script: x, except: {variables: [$J_DISABLED]}}\nk: {script: x}',
    event: {
      variables: {
        project: [
          {
            key: 'J_DISABLED',
            value: '1',
            masked: false,
            file: false,
            protected: false,
            environmentScope: '*',
          },
        ],
      },
    },
    jobs: ['k'],
  },
  {
    feature: 'optional needs of a job that is not there',
    text: 'a: {script: x, only: [tags]}\nb: {script: x, needs: [{job: a, optional: true}]}',
    jobs: ['b'],
  },
  {
    feature: 'a byte order mark, and lines that end as on Windows',
    text: '\uFEFFj:\r\n  script:\r\n    - make\r\n',
    jobs: ['j'],
  },
];

test.each(CASES)('$feature', async ({ text, event, jobs }) => {
  expect(await namesOf(text, event)).toEqual(jobs);
});

describe('needs and dependencies', () => {
  test('a name of parallel jobs stands for all of them, and one copy for itself', async () => {
    const text = `
build: {stage: build, script: x, parallel: {matrix: [{OS: [a, b]}]}}
unit: {stage: build, script: x, parallel: 2}
all: {script: x, needs: [build, {job: unit, artifacts: false}]}
one: {script: x, needs: ["build: [b]"], dependencies: ["build: [b]"]}
none: {script: x, needs: [], dependencies: []}`;
    const jobs = new Map((await jobsOf(text)).map((job) => [job.name, job]));
    expect(jobs.get('all')?.needs).toEqual([
      { kind: 'job', job: 'build: [a]', artifacts: true, optional: false },
      { kind: 'job', job: 'build: [b]', artifacts: true, optional: false },
      { kind: 'job', job: 'unit 1/2', artifacts: false, optional: false },
      { kind: 'job', job: 'unit 2/2', artifacts: false, optional: false },
    ]);
    expect(jobs.get('one')).toMatchObject({ needs: [{ job: 'build: [b]' }], dependencies: ['build: [b]'] });
    expect(jobs.get('none')).toMatchObject({ needs: [], dependencies: [] });
    expect(jobs.get('unit 2/2')).toMatchObject({ baseName: 'unit', index: 2, total: 2, needs: null });
  });

  test('a job that is named twice is needed once', async () => {
    const text = `
a: {stage: build, script: x, parallel: 2}
b: {script: x, needs: [{job: "a 1/2", artifacts: false}, {job: a, artifacts: false, optional: true}, "a 2/2"], dependencies: ["a 1/2", a, "a 2/2"]}`;
    const b = (await jobsOf(text)).at(-1);
    expect(b?.needs).toEqual([
      { kind: 'job', job: 'a 1/2', artifacts: false, optional: false },
      { kind: 'job', job: 'a 2/2', artifacts: true, optional: false },
    ]);
    expect(b?.dependencies).toEqual(['a 1/2', 'a 2/2']);
  });

  test('a need that this pipeline does not have is an error, a dependency just has no artifacts', async () => {
    const text = 'a: {stage: build, script: x, only: [tags]}\n';
    expect(await errorsOf(`${text}b: {script: x, needs: [a]}`)).toEqual([
      "'b' job needs 'a' job, but 'a' does not exist in the pipeline. This might be because of the only, except, or rules keywords. " +
        'To need a job that sometimes does not exist in the pipeline, use needs:optional. (.gitlab-ci.yml, line 2)',
    ]);
    expect((await jobsOf(`${text}b: {script: x, dependencies: [a]}`))[0]?.dependencies).toEqual([]);
  });
});

describe('variables', () => {
  const of = async (text: string, event?: SampleEvent) =>
    Object.fromEntries((await jobsOf(text, event))[0]!.variables.map(({ key, value }) => [key, value]));

  test('of the root, the job, the matrix and the rule: the last counts', async () => {
    const text = `
variables: {A: root, B: root, C: root, D: {value: root, description: for people}}
j: {script: x, variables: {B: job, C: job}, parallel: {matrix: [{C: matrix}]}, rules: [{if: $C == "matrix", variables: {D: rule}}]}`;
    expect(await of(text)).toEqual({ A: 'root', B: 'job', C: 'matrix', D: 'rule' });
  });

  test('are taken over as the job says', async () => {
    const root = 'variables: {A: 1, B: 2}\n';
    expect(await of(`${root}j: {script: x, inherit: {variables: false}}`)).toEqual({});
    expect(await of(`${root}j: {script: x, inherit: {variables: [B, C]}}`)).toEqual({ B: '2' });
  });

  test('are texts as they were written, and nothing is an empty one', async () => {
    expect(await of('j: {script: x, variables: {A: 1.10, B: yes, C: 0644, D: , E: "1"}}')).toEqual({
      A: '1.10',
      B: 'yes',
      C: '0644',
      D: '',
      E: '1',
    });
  });

  test('settings and what was given count more in rules than the configuration', async () => {
    const text =
      'variables: {A: yaml}\ny: {script: x, rules: [{if: $A == "yaml"}]}\np: {script: x, rules: [{if: $A == "given"}]}';
    expect(await namesOf(text)).toEqual(['y']);
    expect(await namesOf(text, { given: { A: 'given' } })).toEqual(['p']);
  });

  test('are expanded in rules, tags, resource groups and names of environments, and nowhere else', async () => {
    const [j] = await jobsOf(`
variables: {APP: web, NAME: $APP-$CI_COMMIT_REF_SLUG}
j: {script: [echo $APP], image: $APP, tags: [$APP, $UNKNOWN], resource_group: $NAME, environment: {name: $NAME/$UNKNOWN, url: $APP}, rules: [{if: $NAME == "web-main"}]}`);
    expect(j).toMatchObject({
      script: ['echo $APP'],
      image: { name: '$APP' },
      tags: ['web', '$UNKNOWN'],
      resourceGroup: 'web-main',
      environment: { name: 'web-main/', url: '$APP' },
    });
  });

  test('a rule that changes a variable changes what is expanded from it', async () => {
    const [j] = await jobsOf(
      'j: {script: x, variables: {ENV: dev}, environment: $ENV, rules: [{if: $CI, variables: {ENV: prod}}]}',
    );
    expect(j?.environment?.name).toBe('prod');
  });

  test('of an environment are known to the rules of its jobs alone', async () => {
    const project = [
      { key: 'KEY', value: '1', masked: false, file: false, protected: false, environmentScope: 'review/*' },
    ];
    const text =
      'a: {script: x, environment: review/$CI_COMMIT_BRANCH, rules: [{if: $KEY}]}\nb: {script: x, rules: [{if: $KEY}]}';
    expect(await namesOf(text, { variables: { project } })).toEqual(['a']);
  });

  test('protected ones are unknown on a ref that is not', async () => {
    const project = [
      { key: 'KEY', value: '1', masked: false, file: false, protected: true, environmentScope: '*' },
    ];
    const text = 'a: {script: x, rules: [{if: $KEY}]}\nb: {script: x}';
    expect(await namesOf(text, { variables: { project } })).toEqual(['a', 'b']);
    expect(await namesOf(text, { variables: { project }, isProtectedRef: false })).toEqual(['b']);
  });

  test('circles are told where they are met', async () => {
    const text = 'variables: {A: $B, B: $A}\nj: {script: x, rules: [{if: $A}]}\nk: {script: x}';
    expect(await errorsOf(text)).toEqual([
      'j: circular variable reference detected: ["A","B"] (.gitlab-ci.yml, line 2)',
    ]);
  });
});

test('a manual job of a rule holds the pipeline up, one of its own does not', async () => {
  const jobs = await jobsOf(
    'a: {script: x, when: manual}\nb: {script: x, rules: [{when: manual}]}\nc: {script: x, rules: [{when: manual, allow_failure: true}]}',
  );
  expect(jobs.map(({ allowFailure }) => allowFailure)).toEqual([true, false, true]);
});

test('a rule that says whether the job may fail replaces its exit codes', async () => {
  const [j] = await jobsOf(
    'j: {script: x, allow_failure: {exit_codes: 1}, rules: [{if: $CI, allow_failure: true}]}',
  );
  expect(j).toMatchObject({ allowFailure: true, allowFailureExitCodes: null });
});

test('two jobs never have the same name', async () => {
  const second = (name: string) =>
    `parallel makes a second job with the name ${name} (.gitlab-ci.yml, line 1)`;
  expect(await errorsOf('j: {script: x, parallel: {matrix: [{A: [x, x]}]}}')).toEqual([
    `j job: ${second('j: [x]')}`,
  ]);
  expect(await errorsOf('j: {script: x, parallel: 2}\n"j 1/2": {script: x}')).toEqual([
    `j job: ${second('j 1/2')}`,
  ]);
});

test('an environment has a name once its variables are expanded, and tags that become nothing are left out', async () => {
  expect(await errorsOf('j: {script: x, environment: $NOBODY}')).toEqual([
    'j: the environment name $NOBODY is empty with its variables expanded (.gitlab-ci.yml, line 1)',
  ]);
  expect(await errorsOf(`j: {script: x, variables: {N: ${'x'.repeat(256)}}, environment: $N}`)).toEqual([
    'j: the environment name $N is too long with its variables expanded (.gitlab-ci.yml, line 1)',
  ]);
  expect((await jobsOf('j: {script: x, variables: {T: ""}, tags: [$T, a]}'))[0]?.tags).toEqual(['a']);
});

test('stages without a job of this pipeline are left out', async () => {
  expect(
    (await pipelineOf('stages: [a, b, c]\nx: {stage: c, script: x}\ny: {stage: a, script: x}')).stages,
  ).toEqual(['a', 'c']);
});

test('what is checked and what is chosen are two things: a configuration is right for events that have no jobs', async () => {
  const compiled = await compileText('j: {script: x, only: [tags]}');
  expect(compiled.errors).toEqual([]);
  expect([...compiled.configuration!.jobs.keys()]).toEqual(['j']);
  expect(await compiled.plan()).toMatchObject({ kind: 'empty' });
  // Each plan is for itself.
  expect(await compiled.plan()).toMatchObject({
    kind: 'empty',
    errors: [{ message: 'No stages / jobs for this pipeline.' }],
  });
});

test('the world is asked once for what several jobs want to know', async () => {
  const asked: string[] = [];
  const text = Array.from(
    { length: 5 },
    (_, at) => `j${at}: {script: x, rules: [{exists: [a, "b*"]}, {changes: [c]}]}`,
  ).join('\n');
  const compiled = await compile({
    path: 'ci.yml',
    text,
    origin: { project: 'a/b', sha: 'c' },
    context: contextOf({}),
    ports: {
      readInclude: () => Promise.reject(new Error('nothing is included')),
      fileExists: async ({ text: glob }) => asked.push(glob) < 0,
      changedPaths: async () => {
        asked.push('changes');
        return ['c'];
      },
    },
  });
  expect((await compiled.plan()).kind).toBe('pipeline');
  expect(asked).toEqual(['a', 'b*', 'changes']);
});
