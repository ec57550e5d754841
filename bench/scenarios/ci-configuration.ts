import { compile } from '@forgelog/ci-config/compile.ts';
import { contextOf } from '@forgelog/ci-config/testing/sample.ts';
import { parse } from 'yaml';
import { type Bench, result, type Scenario } from '../harness/scenario.ts';
import { median } from '../harness/statistics.ts';

const JOBS = 500;

/** Compares a configuration compiled to its jobs with its YAML read by the library alone. */
export const ciConfiguration: Scenario = {
  goals: [21],
  async run({ options }: Bench) {
    const rows = [
      { name: 'jobs that say all themselves', text: configuration(plainJob) },
      { name: 'jobs that extend one of four', text: configuration(extendingJob) },
    ];
    const results = [];
    for (const { name, text } of rows) {
      const costs = { yaml: [] as number[], compile: [] as number[] };
      // The first rounds warm up what the engine compiles.
      for (let round = -3; round < options.rounds; round += 1) {
        const yaml = await millisecondsOf(async () => parse(text));
        const compiled = await millisecondsOf(() => plan(text));
        if (round < 0) continue;
        costs.yaml.push(yaml);
        costs.compile.push(compiled);
      }
      results.push(
        result(
          21,
          `${JOBS} ${name}, compiled against parsed`,
          { atMost: 3 },
          costs.compile.map((cost, round) => cost / costs.yaml[round]!),
          `${median(costs.compile).toFixed(0)} ms; ${median(costs.yaml).toFixed(0)} ms`,
        ),
      );
    }
    return results;
  },
};

async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

async function plan(text: string): Promise<void> {
  const compiled = await compile({
    path: '.gitlab-ci.yml',
    text,
    origin: { project: 'acme/web', sha: 'f'.repeat(40) },
    context: contextOf({}),
    ports: {
      readInclude: async () => ({ refused: 'no file' }),
      fileExists: async () => true,
      changedPaths: async () => Array.from({ length: 100 }, (_, at) => `src/part${at}/main.c`),
    },
  });
  const { kind } = await compiled.plan();
  if (kind !== 'pipeline') throw new Error(`the sample configuration gives no pipeline: ${kind}`);
}

const configuration = (job: (at: number) => string) =>
  [HEAD, ...Array.from({ length: JOBS }, (_, at) => job(at))].join('\n');

const plainJob = (at: number) => `job ${at}:
  stage: ${at % 2 === 0 ? 'build' : 'test'}
  image: registry.example/image:${at}
  variables:
    NUMBER: ${at}
    NAME: "$CI_PROJECT_NAME-$NUMBER"
  script:
    - ./configure --prefix=/usr
    - make -j4 part-${at}
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event" && $CI_COMMIT_REF_NAME =~ /^feature/
      when: never
    - changes: [src/part${at}/**/*, common/*]
      when: manual
    - if: $NAME
  artifacts:
    paths: [out/]
    expire_in: 1 week
  cache: {key: part-${at}, paths: [vendor/]}`;

const extendingJob = (at: number) => `job ${at}:
  extends: .job${at % 4}
  needs: [${at > 0 ? `job ${at - 1}` : ''}]
  variables: {NUMBER: ${at}}`;

const HEAD = `stages: [build, test]
variables: {CFLAGS: -O2, JOBS: 4}
default:
  before_script: [uname -a]
  tags: [docker]
${[0, 1, 2, 3]
  .map(
    (at) =>
      `.${plainJob(at)
        .replace(`job ${at}`, `job${at}`)
        .replace(/stage: .*/, 'stage: test')}`,
  )
  .join('\n')}`;
