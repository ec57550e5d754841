import type { Configuration, JobDefinition, Need } from './configuration.ts';
import type { Place } from './document/source-file.ts';
import { type Limits, NEEDS } from './limits.ts';
import { copiesOf } from './planning/job-names.ts';
import { type Problems, Refusal } from './problem.ts';

const STAGES_TOLD = 50;

/** Checks stages, needs, dependencies and `on_stop` jobs. */
export function checkJobs(configuration: Configuration, problems: Problems, limits: Limits): void {
  const { jobs, stages } = configuration;
  const stageAt = new Map(stages.map((stage, index) => [stage, index]));
  const byName = allNames(jobs, limits, problems);
  const check = new JobChecks(byName, stageAt, problems);
  for (const job of jobs.values()) check.check(job, stages);
  if (problems.errors.length === 0) checkCircles(jobs, byName, problems);
}

/** Jobs by their names and by the names of their copies. */
function allNames(
  jobs: Configuration['jobs'],
  limits: Limits,
  problems: Problems,
): Map<string, JobDefinition> {
  const names = new Map<string, JobDefinition>(jobs);
  let total = 0;
  for (const job of jobs.values()) {
    const copies = copiesOf(job);
    total += copies.length;
    if (total > limits.jobs)
      throw new Refusal(
        job.place,
        `Pipeline has too many jobs! Requested more than ${limits.jobs}, which is the limit.`,
      );
    for (const { name } of job.parallel ? copies : []) {
      if (names.has(name))
        problems.error(job.place, `${job.name} job: parallel makes a second job with the name ${name}`, {
          job: job.name,
          keyword: 'parallel',
        });
      names.set(name, job);
    }
  }
  return names;
}

class JobChecks {
  readonly #jobs: ReadonlyMap<string, JobDefinition>;
  readonly #stageAt: ReadonlyMap<string, number>;
  readonly #problems: Problems;

  constructor(
    jobs: ReadonlyMap<string, JobDefinition>,
    stageAt: ReadonlyMap<string, number>,
    problems: Problems,
  ) {
    this.#jobs = jobs;
    this.#stageAt = stageAt;
    this.#problems = problems;
  }

  check(job: JobDefinition, stages: readonly string[]): void {
    if (!this.#stageAt.has(job.stage)) {
      this.#error(
        job,
        'stage',
        `chosen stage ${job.stage} does not exist; available stages are ${stages.slice(0, STAGES_TOLD).join(', ')}`,
      );
      return;
    }
    for (const name of job.dependencies ?? []) this.#isBefore(job, name, 'dependency', job.place);
    this.#checkNeeds(job);
    this.#checkStop(job);
  }

  #checkNeeds(job: JobDefinition): void {
    if (!job.needs) return;
    const ofPipeline = job.needs.filter((need) => need.kind === 'job');
    if (ofPipeline.length > NEEDS)
      this.#error(
        job,
        'needs',
        `one job can only need ${NEEDS} others, but you have listed ${ofPipeline.length}`,
      );
    for (const need of ofPipeline)
      if (!need.optional || this.#jobs.has(need.job)) this.#isBefore(job, need.job, 'need', need.place);
    const isStarter = job.trigger !== null || job.script === null;
    const wrong = job.needs.find(({ kind }) => (kind === 'status') !== isStarter && kind !== 'job');
    if (wrong) this.#error(job, 'needs', wrongNeed(wrong), wrong.place);
  }

  #isBefore(job: JobDefinition, name: string, what: 'need' | 'dependency', place: Place): void {
    const keyword = what === 'need' ? 'needs' : 'dependencies';
    const other = this.#jobs.get(name);
    if (!other) this.#error(job, keyword, `undefined ${what}: ${name}`, place);
    else if ((this.#stageAt.get(other.stage) ?? 0) > this.#stageAt.get(job.stage)!)
      this.#error(job, keyword, `${what} ${name} is not defined in current or prior stages`, place);
  }

  #checkStop(job: JobDefinition): void {
    const stop = job.environment?.onStop;
    if (!stop) return;
    const other = this.#jobs.get(stop);
    const wrong = !other
      ? 'is not defined'
      : !other.environment
        ? 'does not have environment defined'
        : other.environment.name !== job.environment!.name
          ? 'have different environment name'
          : other.environment.action !== 'stop'
            ? 'needs to have action stop defined'
            : null;
    if (wrong) this.#error(job, 'environment:on_stop', `on_stop job ${stop} ${wrong}`);
  }

  #error({ name, place }: JobDefinition, keyword: string, message: string, at: Place = place): void {
    this.#problems.error(at, `${name} job: ${message}`, { job: name, keyword });
  }
}

const wrongNeed = ({ kind }: Need) =>
  kind === 'status'
    ? 'needs without a job take the status of a pipeline, which only a job without a script can do'
    : 'a job that starts a pipeline cannot take artifacts from elsewhere';

/** Removes jobs that wait for nothing until none is left; jobs that remain form a circle. */
function checkCircles(
  jobs: Configuration['jobs'],
  byName: ReadonlyMap<string, JobDefinition>,
  problems: Problems,
): void {
  const waitsFor = new Map<JobDefinition, Set<JobDefinition>>();
  const waiting = new Map<JobDefinition, JobDefinition[]>();
  for (const job of jobs.values()) {
    const needed = (job.needs ?? []).flatMap((need) =>
      need.kind === 'job' ? (byName.get(need.job) ?? []) : [],
    );
    waitsFor.set(job, new Set(needed));
    for (const other of new Set(needed)) {
      const others = waiting.get(other);
      if (others) others.push(job);
      else waiting.set(other, [job]);
    }
  }
  const ready = [...waitsFor].filter(([, needed]) => needed.size === 0).map(([job]) => job);
  for (const job of ready) {
    waitsFor.delete(job);
    for (const other of waiting.get(job) ?? []) {
      const left = waitsFor.get(other)!;
      left.delete(job);
      if (left.size === 0) ready.push(other);
    }
  }
  const [first] = waitsFor.keys();
  if (!first) return;
  problems.error(
    first.place,
    `The pipeline has circular dependencies: ${circleFrom(first, waitsFor).join(' → ')}`,
    {
      job: first.name,
      keyword: 'needs',
    },
  );
}

/** Each remaining job waits for another one, so following them leads back. */
function circleFrom(
  first: JobDefinition,
  waitsFor: ReadonlyMap<JobDefinition, ReadonlySet<JobDefinition>>,
): string[] {
  const path: JobDefinition[] = [];
  const seen = new Map<JobDefinition, number>();
  let job = first;
  while (!seen.has(job)) {
    seen.set(job, path.length);
    path.push(job);
    [job] = [...waitsFor.get(job)!].filter((other) => waitsFor.has(other)) as [JobDefinition];
  }
  return [...path.slice(seen.get(job)), job].map(({ name }) => name);
}
