import { describe, expect, test } from 'vitest';
import { compileText, errorsOf, jobsOf } from '../testing/sample.ts';

/** The only job, which has these keywords beside its script. */
async function job(keywords: string) {
  const [one] = await jobsOf(`j:\n  script: make\n  ${keywords.replaceAll('\n', '\n  ')}`);
  return one!;
}

/** Errors of a job with these keywords, without their place. */
async function wrong(keywords: string) {
  const { errors } = await compileText(`j:\n  script: make\n  ${keywords.replaceAll('\n', '\n  ')}`);
  return errors.map(({ message }) => message);
}

test('a job that says nothing has the values that everybody expects', async () => {
  const [{ stageIndex, ...one }] = (await jobsOf('j: {script: make}')) as [Awaited<ReturnType<typeof job>>];
  expect(one).toEqual({
    name: 'j',
    baseName: 'j',
    stage: 'test',
    script: ['make'],
    beforeScript: [],
    afterScript: [],
    image: null,
    services: [],
    cache: [],
    artifacts: null,
    dependencies: null,
    needs: null,
    coverage: null,
    retry: { max: 0, when: ['always'] },
    timeout: null,
    tags: [],
    interruptible: false,
    resourceGroup: null,
    release: null,
    trigger: null,
    environment: null,
    when: 'on_success',
    startIn: null,
    allowFailure: false,
    allowFailureExitCodes: null,
    index: null,
    total: null,
    variables: [],
  });
  expect(stageIndex).toBe(2);
});

describe('keywords of a job', () => {
  test('scripts are texts or lists in lists', async () => {
    expect(await job('before_script: [a]\nafter_script: b')).toMatchObject({
      script: ['make'],
      beforeScript: ['a'],
      afterScript: ['b'],
    });
    expect((await jobsOf('j: {script: [a, [b, [c]], "d: e"]}'))[0]?.script).toEqual(['a', 'b', 'c', 'd: e']);
  });

  test('image and services', async () => {
    expect(await job('image: ruby:2.7')).toMatchObject({
      image: { name: 'ruby:2.7', entrypoint: null, ports: [] },
    });
    expect(
      await job('image: {name: x, entrypoint: [""], ports: [80, {number: 443, protocol: https, name: web}]}'),
    ).toMatchObject({
      image: {
        name: 'x',
        entrypoint: [''],
        ports: [
          { number: 80, protocol: 'http', name: 'default_port' },
          { number: 443, protocol: 'https', name: 'web' },
        ],
      },
    });
    const { services } = await job(
      'services: [redis, {name: "postgres:13", alias: db, command: [x, y], entrypoint: [sh], variables: {A: b}}]',
    );
    expect(services).toEqual([
      { name: 'redis', entrypoint: null, ports: [], alias: null, command: null, variables: new Map() },
      {
        name: 'postgres:13',
        entrypoint: ['sh'],
        ports: [],
        alias: 'db',
        command: ['x', 'y'],
        variables: new Map([['A', 'b']]),
      },
    ]);
  });

  test('cache', async () => {
    const plain = { key: 'default', untracked: false, paths: ['x'], policy: 'pull-push', when: 'on_success' };
    expect((await job('cache: {paths: [x]}')).cache).toEqual([plain]);
    expect(
      (
        await job(
          'cache: [{paths: [x]}, {key: {files: [a.lock, b.lock], prefix: $CI_JOB_NAME}, paths: [y], policy: pull, when: always, untracked: true}]',
        )
      ).cache,
    ).toEqual([
      plain,
      {
        key: { files: ['a.lock', 'b.lock'], prefix: '$CI_JOB_NAME' },
        untracked: true,
        paths: ['y'],
        policy: 'pull',
        when: 'always',
      },
    ]);
    expect((await job('cache: {}')).cache).toEqual([]);
    expect((await job('cache: []')).cache).toEqual([]);
    expect((await job('cache: {key: 1, paths: [x]}')).cache).toEqual([{ ...plain, key: '1' }]);
  });

  test('artifacts', async () => {
    const { artifacts } = await job(`artifacts:
  name: "$CI_JOB_NAME"
  paths: [out/]
  exclude: [out/*.o]
  expire_in: 1 week
  expose_as: the build
  public: false
  untracked: true
  when: always
  reports: {junit: report.xml, dotenv: [a.env, b.env], coverage_report: {coverage_format: cobertura, path: c.xml}}`);
    expect(artifacts).toEqual({
      name: '$CI_JOB_NAME',
      untracked: true,
      paths: ['out/'],
      exclude: ['out/*.o'],
      when: 'always',
      expireIn: 604_800,
      expireInText: '1 week',
      exposeAs: 'the build',
      public: false,
      coverageFormat: 'cobertura',
      reports: new Map([
        ['junit', ['report.xml']],
        ['dotenv', ['a.env', 'b.env']],
        ['coverage_report', ['c.xml']],
      ]),
    });
    expect((await job('artifacts: {paths: [x], expire_in: never}')).artifacts).toMatchObject({
      expireIn: 'never',
      public: true,
    });
  });

  test('environment', async () => {
    expect((await job('environment: production')).environment).toMatchObject({
      name: 'production',
      action: 'start',
    });
    const { environment } = await job(
      'environment: {name: review/$CI_COMMIT_REF_SLUG, url: "https://$CI_ENVIRONMENT_SLUG.x", auto_stop_in: 1 day, deployment_tier: testing, action: prepare, kubernetes: {namespace: web}}',
    );
    expect(environment).toEqual({
      name: 'review/main',
      url: 'https://$CI_ENVIRONMENT_SLUG.x',
      action: 'prepare',
      onStop: null,
      autoStopIn: 86_400,
      deploymentTier: 'testing',
      kubernetesNamespace: 'web',
    });
  });

  test('what a failure means', async () => {
    expect(await job('allow_failure: true')).toMatchObject({
      allowFailure: true,
      allowFailureExitCodes: null,
    });
    expect(await job('allow_failure: {exit_codes: 137}')).toMatchObject({
      allowFailure: false,
      allowFailureExitCodes: [137],
    });
    expect(await job('allow_failure: {exit_codes: [1, 2]}')).toMatchObject({ allowFailureExitCodes: [1, 2] });
    expect((await job('retry: 2')).retry).toEqual({ max: 2, when: ['always'] });
    expect(
      (await job('retry: {max: 1, when: [runner_system_failure, stuck_or_timeout_failure]}')).retry,
    ).toEqual({ max: 1, when: ['runner_system_failure', 'stuck_or_timeout_failure'] });
    expect((await job('retry: {max: 1, when: script_failure}')).retry).toEqual({
      max: 1,
      when: ['script_failure'],
    });
  });

  test('when it starts', async () => {
    expect(await job('when: manual')).toMatchObject({ when: 'manual', allowFailure: true });
    expect(await job('when: manual\nallow_failure: false')).toMatchObject({
      when: 'manual',
      allowFailure: false,
    });
    expect(await job('when: delayed\nstart_in: 30 minutes')).toMatchObject({
      when: 'delayed',
      startIn: 1800,
      allowFailure: false,
    });
    expect(await job('when: on_failure')).toMatchObject({ when: 'on_failure' });
  });

  test('the rest', async () => {
    expect(
      await job(
        "coverage: '/\\d+\\.\\d+%/'\ntimeout: 1h 30m\ntags: [docker, $CI_PROJECT_NAME, docker]\ninterruptible: yes\nresource_group: $CI_COMMIT_BRANCH",
      ),
    ).toMatchObject({
      coverage: '/\\d+\\.\\d+%/',
      timeout: 5400,
      tags: ['docker', 'web'],
      interruptible: true,
      resourceGroup: 'main',
    });
  });

  test('release', async () => {
    const { release } = await job(`release:
  tag_name: v$VERSION
  tag_message: hi
  name: Version
  description: ./CHANGES.md
  ref: $CI_COMMIT_SHA
  released_at: "2021-03-15T08:00:00Z"
  milestones: [m1, m2]
  assets: {links: [{name: bin, url: "https://x.example/bin", filepath: /bin, link_type: package}]}`);
    expect(release).toEqual({
      tagName: 'v$VERSION',
      tagMessage: 'hi',
      name: 'Version',
      description: './CHANGES.md',
      ref: '$CI_COMMIT_SHA',
      releasedAt: '2021-03-15T08:00:00Z',
      milestones: ['m1', 'm2'],
      links: [{ name: 'bin', url: 'https://x.example/bin', filepath: '/bin', linkType: 'package' }],
    });
  });

  test('trigger', async () => {
    const trigger = async (text: string) => (await jobsOf(`j: {trigger: ${text}}`))[0]?.trigger;
    const forward = { yamlVariables: true, pipelineVariables: false };
    expect(await trigger('acme/api')).toEqual({
      kind: 'project',
      project: 'acme/api',
      branch: null,
      strategy: null,
      forward,
    });
    expect(
      await trigger(
        '{project: acme/api, branch: next, strategy: depend, forward: {pipeline_variables: true}}',
      ),
    ).toEqual({
      kind: 'project',
      project: 'acme/api',
      branch: 'next',
      strategy: 'depend',
      forward: { ...forward, pipelineVariables: true },
    });
    expect(await trigger('{include: child.yml}')).toEqual({
      kind: 'child',
      include: [{ kind: 'local', path: 'child.yml' }],
      strategy: null,
      forward,
    });
    expect(
      await trigger(
        '{include: [{artifact: gen.yml, job: gen}, {project: a/b, ref: v1, file: [x.yml, y.yml]}, {template: X.gitlab-ci.yml}]}',
      ),
    ).toMatchObject({
      include: [
        { kind: 'artifact', path: 'gen.yml', job: 'gen' },
        { kind: 'project', project: 'a/b', path: 'x.yml', ref: 'v1' },
        { kind: 'project', project: 'a/b', path: 'y.yml', ref: 'v1' },
        { kind: 'template', name: 'X.gitlab-ci.yml' },
      ],
    });
    expect((await jobsOf('j: {needs: {pipeline: acme/api}}'))[0]?.needs).toEqual([
      { kind: 'status', project: 'acme/api' },
    ]);
  });

  test('needs beyond the pipeline', async () => {
    expect(
      (
        await job(
          'needs: [{project: a/b, job: build, ref: main, artifacts: false}, {pipeline: $PARENT, job: build}]',
        )
      ).needs,
    ).toEqual([
      { kind: 'project', project: 'a/b', job: 'build', ref: 'main', artifacts: false },
      { kind: 'pipeline', pipeline: '$PARENT', job: 'build', artifacts: true },
    ]);
  });

  test('a key without a value is as good as none', async () => {
    expect(
      await jobsOf('j: {script: make, image: , tags: , rules: , needs: , cache: ~, when: null}'),
    ).toEqual(await jobsOf('j: {script: make}'));
  });
});

describe('defaults', () => {
  test('are for jobs that say nothing, wholly', async () => {
    const jobs = await jobsOf(`
default: {image: ruby, before_script: [a], after_script: [b], services: [redis], cache: {paths: [c]}, artifacts: {paths: [d]}, retry: 1, timeout: 1h, tags: [e], interruptible: true}
all: {script: x}
own: {script: x, image: node, before_script: [], services: [], cache: [], retry: 0, tags: [], interruptible: false}
some: {script: x, inherit: {default: [image, tags]}}
none: {script: x, inherit: {default: false}}`);
    const shown = jobs.map(
      ({ image, beforeScript, services, cache, retry, tags, interruptible, timeout }) => [
        image?.name,
        beforeScript.length,
        services.length,
        cache.length,
        retry.max,
        tags.length,
        interruptible,
        timeout,
      ],
    );
    expect(shown).toEqual([
      ['ruby', 1, 1, 1, 1, 1, true, 3600],
      ['node', 0, 0, 0, 0, 0, false, 3600],
      ['ruby', 0, 0, 0, 0, 1, false, null],
      [undefined, 0, 0, 0, 0, 0, false, null],
    ]);
  });

  test('stand at the root in older files', async () => {
    const [j] = await jobsOf(
      'image: ruby\nservices: [redis]\nbefore_script: [a]\nafter_script: [b]\ncache: {paths: [c]}\nj: {script: x}',
    );
    expect(j).toMatchObject({
      image: { name: 'ruby' },
      services: [{ name: 'redis' }],
      beforeScript: ['a'],
      afterScript: ['b'],
      cache: [{ paths: ['c'] }],
    });
  });

  test('both ways at once for one keyword is an error', async () => {
    expect(await errorsOf('image: a\ndefault: {image: b}\nj: {script: x}')).toEqual([
      'default config has image, which stands at the root too; one of them is enough (.gitlab-ci.yml, line 2)',
    ]);
  });
});

describe('what is wrong is told with job and keyword', () => {
  test.each<[string, string]>([
    ['scrpt: x', 'jobs:j config contains unknown keys: scrpt'],
    ['foo: 1\nbar: 2', 'jobs:j config contains unknown keys: foo, bar'],
    ['secrets: {}', 'jobs:j config contains unknown keys: secrets'],
    [
      'before_script: [a: b]',
      'jobs:j:before_script config should be a string or a nested array of strings up to 10 levels deep',
    ],
    [
      'before_script: 5',
      'jobs:j:before_script config should be a string or a nested array of strings up to 10 levels deep',
    ],
    ['image: 5', 'jobs:j:image config should be a hash or a string'],
    ['image: {entrypoint: [x]}', 'jobs:j:image config should have a name'],
    ['image: {name: x, pull: y}', 'jobs:j:image config contains unknown keys: pull'],
    ['image: ""', "jobs:j:image config can't be blank"],
    ['services: redis', 'jobs:j:services config should be an array'],
    ['services: [{alias: x}]', 'jobs:j:services:service config should have a name'],
    ['cache: [1]', 'jobs:j:cache:cache config should be a hash'],
    ['cache: {paths: x}', 'jobs:j:cache:paths config should be an array of strings'],
    ['cache: {key: a/b}', 'jobs:j:cache:key config cannot contain the "/" character, %2F, or be a dot'],
    ['cache: {key: {files: []}}', 'jobs:j:cache:key:files config should have from 1 to 2 items'],
    ['cache: {key: {prefix: x}}', 'jobs:j:cache:key config is missing required keys: files'],
    ['cache: {policy: push-pull}', 'jobs:j:cache policy should be one of: pull, push, pull-push'],
    ['cache: [{}, {}, {}, {}, {}]', 'jobs:j:cache config no more than 4 caches can be created'],
    ['artifacts: [x]', 'jobs:j:artifacts config should be a hash'],
    ['artifacts: {name: 5}', 'jobs:j:artifacts name should be a string'],
    ['artifacts: {when: never}', 'jobs:j:artifacts when should be on_success, on_failure or always'],
    ['artifacts: {expire_in: soon}', 'jobs:j:artifacts expire in should be a duration'],
    [
      'artifacts: {reports: {junit: 5}}',
      'jobs:j:artifacts:reports junit should be an array of strings or a string',
    ],
    ['artifacts: {reports: {jnit: x}}', 'jobs:j:artifacts:reports config contains unknown keys: jnit'],
    ['artifacts: {expose_as: x}', "jobs:j:artifacts paths can't be blank"],
    [
      'artifacts: {expose_as: x, paths: ["*"]}',
      "jobs:j:artifacts paths can't contain '*' when used with 'expose_as'",
    ],
    ['environment: 5', 'jobs:j:environment config should be a hash or a string'],
    ['environment: {url: x}', "jobs:j:environment name can't be blank"],
    [
      'environment: a;b',
      "jobs:j:environment name can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', and spaces",
    ],
    [
      'environment: {name: x, action: begin}',
      'jobs:j:environment action should be start, stop, prepare, verify or access',
    ],
    [
      'environment: {name: x, deployment_tier: prod}',
      'jobs:j:environment deployment tier must be one of production, staging, testing, development, other',
    ],
    ['environment: {name: x, on_stop: gone}', 'j job: on_stop job gone is not defined'],
    ['allow_failure: maybe', 'jobs:j:allow_failure config should be a hash or a boolean value'],
    [
      'allow_failure: {exit_codes: x}',
      'jobs:j:allow_failure exit codes should be an array of integers or an integer',
    ],
    ['allow_failure: {}', 'jobs:j:allow_failure config is missing required keys: exit_codes'],
    ['retry: 3', 'jobs:j:retry config must be less than or equal to 2'],
    ['retry: 1.5', 'jobs:j:retry config must be an integer'],
    ['retry: twice', 'jobs:j:retry config has to be either an integer or a hash'],
    [
      'retry: {max: 1, when: sunday}',
      expect.stringContaining(
        'jobs:j:retry when should be one of: always, unknown_failure,',
      ) as unknown as string,
    ],
    ['when: sometimes', 'jobs:j when should be one of: on_success, on_failure, always, manual, delayed'],
    ['when: delayed', 'jobs:j start in should be a duration'],
    ['when: delayed\nstart_in: 8 days', 'jobs:j start in should not exceed the limit of 1 week'],
    ['start_in: 1 day', 'jobs:j start in must be blank'],
    ['coverage: "5"', 'jobs:j:coverage config must be a regular expression'],
    ['coverage: "/(?=x)/"', 'jobs:j:coverage config must be a regular expression'],
    ['timeout: 2 months', 'jobs:j:timeout config should not exceed the limit of 1 month'],
    ['tags: docker', 'jobs:j:tags config should be an array of strings'],
    ['interruptible: maybe', 'jobs:j:interruptible config should be a boolean value'],
    ['parallel: 201', 'jobs:j:parallel config must be less than or equal to 200'],
    ['parallel: 0', 'jobs:j:parallel config must be greater than or equal to 1'],
    ['parallel: x', 'jobs:j:parallel config should be an integer or a hash'],
    ['parallel: {matrix: []}', 'jobs:j:parallel:matrix config requires at least 1 item'],
    ['parallel: {matrix: [{}]}', 'jobs:j:parallel:matrix config requires at least 1 item'],
    [
      'parallel: {matrix: [{A: {b: c}}]}',
      'jobs:j:parallel:matrix config should be a hash of key value pairs, where a value is a text or an array of texts; A is not',
    ],
    [
      `parallel: {matrix: [{A: [${'x,'.repeat(15)}], B: [${'y,'.repeat(15)}]}]}`,
      'jobs:j:parallel:matrix config generates too many jobs (maximum is 200)',
    ],
    [
      `parallel: {matrix: [{${Array.from({ length: 400 }, (_, at) => `V${at}: [a, b]`).join(',')}}]}`,
      'jobs:j:parallel:matrix config generates too many jobs (maximum is 200)',
    ],
    ['variables: [x]', 'jobs:j:variables config should be a hash of key value pairs'],
    ['variables: {A: [x]}', 'jobs:j:variables config should be a hash of key value pairs; A is none'],
    ['inherit: {default: 5}', 'jobs:j:inherit default should be a bool or array of strings'],
    ['inherit: {image: true}', 'jobs:j:inherit config contains unknown keys: image'],
    ['release: {name: x}', "jobs:j:release tag name can't be blank"],
    ['needs: [{artifacts: true}]', "jobs:j:needs:need job can't be blank"],
    ['needs: [5]', 'jobs:j:needs:need config has an unsupported type'],
    ['needs: 5', 'jobs:j:needs config can only be a hash or an array'],
    ['needs: [{project: a/b, job: x}]', "jobs:j:needs:need ref can't be blank"],
    [
      'needs: [{pipeline: a/b}]',
      'j job: needs without a job take the status of a pipeline, which only a job without a script can do',
    ],
    ['needs: [gone]', 'j job: undefined need: gone'],
    ['dependencies: [gone]', 'j job: undefined dependency: gone'],
    ['needs: []\ndependencies: [k]', 'jobs:j dependencies the k should be part of needs'],
    [
      'stage: gone',
      'j job: chosen stage gone does not exist; available stages are .pre, build, test, deploy, .post',
    ],
    ['only: main', 'jobs:j:only config has to be either an array of conditions or a hash'],
    ['only: [5]', 'jobs:j:only config should be an array of strings or regular expressions using re2 syntax'],
    [
      'only: ["/(?=x)/"]',
      'jobs:j:only config should be an array of strings or regular expressions using re2 syntax: /(?=x)/ is none',
    ],
    ['only: {variables: ["$A =="]}', 'jobs:j:only variables Invalid expression syntax: $A =='],
    ['except: {kubernetes: yes}', 'jobs:j:except kubernetes should be one of: active'],
    ['rules: {if: $A}', 'jobs:j:rules config should be an array of hashes'],
    [
      'rules: [x]',
      'jobs:j:rules config should be an array containing hashes and arrays of hashes, up to 10 levels deep',
    ],
    ['rules: [{}]', "jobs:j:rules:rule config can't be blank"],
    ['rules: [{if: "$A =="}]', 'jobs:j:rules:rule if invalid expression syntax'],
    [
      'rules: [{when: later}]',
      'jobs:j:rules:rule when unknown value: later; it should be one of: on_success, on_failure, always, manual, delayed, never',
    ],
    ['rules: [{when: delayed}]', 'jobs:j:rules:rule start in should be a duration'],
    ['rules: [{when: manual, start_in: 1 day}]', 'jobs:j:rules:rule start in must be blank'],
    ['rules: [{changes: x}]', 'jobs:j:rules:rule:changes config should be an array of strings'],
    ['rules: [{exists: ["[x"]}]', 'jobs:j:rules:rule:exists config has a pattern that nothing can match: [x'],
    [
      `rules: [{exists: [${'x,'.repeat(51)}]}]`,
      'jobs:j:rules:rule:exists config has too many patterns (maximum is 50)',
    ],
    ['rules: [{if: $A}]\nonly: [main]', 'jobs:j config key may not be used with `rules`: only'],
  ])('%s', async (keywords, error) => {
    expect(await wrong(keywords)).toContainEqual(error);
  });

  test.each<[string, string]>([
    ['j: 5', 'jobs:j config should implement a script: or a trigger: keyword'],
    ['j: {image: x}', 'jobs:j config should implement a script: or a trigger: keyword'],
    ['j: {script: []}', "jobs:j script can't be blank"],
    ['j: {script: }', "jobs:j script can't be blank"],
    ['j: {script: x, trigger: a/b}', 'jobs:j config contains unknown keys: trigger'],
    ['j: {trigger: a/b, image: x}', 'jobs:j config contains unknown keys: image'],
    [
      'j: {trigger: a/b, when: delayed}',
      'jobs:j when should be one of: on_success, on_failure, always, manual',
    ],
    ['j: {trigger: {branch: x}}', 'jobs:j:trigger config must specify either project or include'],
    [
      'j: {trigger: {include: [a.yml, b.yml, c.yml, d.yml]}}',
      'jobs:j:trigger:include config is too long (maximum is 3)',
    ],
    [
      'j: {trigger: {include: [{artifact: x}]}}',
      'jobs:j:trigger:include config must specify the job where to fetch the artifact from',
    ],
    ['j: {needs: [k]}\nk: {script: x}', 'jobs:j config should contain either a trigger or a needs:pipeline'],
    ['.h: {script: x}', 'jobs config should contain at least one visible job'],
    [
      `${'x'.repeat(256)}: {script: x}`,
      `jobs:${'x'.repeat(256)} name is too long (maximum is 255 characters)`,
    ],
    ['" ": {script: x}', "jobs:  name can't be blank"],
    ['stages: build\nj: {script: x}', 'stages config should be an array of strings'],
    ['variables: {A: {value: x, desc: y}}\nj: {script: x}', 'variables:A config contains unknown keys: desc'],
    [
      'variables: 5\nj: {script: x}',
      'variables config should be a hash of key value pairs, value can be a hash',
    ],
    ['workflow: 5\nj: {script: x}', 'workflow config should be a hash'],
    ['workflow: {name: x}\nj: {script: x}', 'workflow config contains unknown keys: name'],
    [
      'workflow: {rules: [{when: manual}]}\nj: {script: x}',
      'workflow:rule when unknown value: manual; it should be one of: always, never',
    ],
    ['default: {script: x}\nj: {script: x}', 'default config contains unknown keys: script'],
    [
      'a: {stage: test, script: x, needs: [b]}\nb: {stage: deploy, script: x}',
      'a job: need b is not defined in current or prior stages',
    ],
    [
      'a: {script: x, needs: [b]}\nb: {script: x, needs: [c]}\nc: {script: x, needs: [b]}',
      'The pipeline has circular dependencies: b → c → b',
    ],
    [
      `a: {script: x, needs: [${Array.from({ length: 51 }, (_, at) => `b${at}`).join()}]}\n${Array.from({ length: 51 }, (_, at) => `b${at}: {script: x}\n`).join('')}`,
      'a job: one job can only need 50 others, but you have listed 51',
    ],
  ])('%j', async (text, error) => {
    expect((await compileText(text)).errors.map(({ message }) => message)).toContain(error);
  });

  test('file, line, job and keyword stand beside the sentence', async () => {
    const { errors } = await compileText(
      'a:\n  script: x\nb:\n  script: x\n  artifacts:\n    expire_in: soon\n',
    );
    expect(errors).toEqual([
      {
        message: 'jobs:b:artifacts expire in should be a duration',
        file: '.gitlab-ci.yml',
        line: 6,
        job: 'b',
        keyword: 'artifacts:expire_in',
      },
    ]);
  });

  test('all errors are told at once, and after a hundred how many more there are', async () => {
    const { errors } = await compileText(
      Array.from({ length: 130 }, (_, at) => `j${at}: {script: x, tag: y}\n`).join(''),
    );
    expect(errors).toHaveLength(101);
    expect(errors.at(-1)?.message).toBe('and 30 more errors');
  });
});

test('a last rule without a condition is warned of, unless workflow has rules', async () => {
  const text = 'j: {script: x, rules: [{if: $A}, {when: always}]}';
  const warnings = async (more: string) =>
    (await compileText(text + more)).warnings.map(({ message }) => message);
  expect(await warnings('')).toEqual([
    'jobs:j may allow multiple pipelines to run for a single action due to `rules:when` clause with no `workflow:rules`',
  ]);
  expect(await warnings('\nworkflow: {rules: [{when: always}]}')).toEqual([]);
});
