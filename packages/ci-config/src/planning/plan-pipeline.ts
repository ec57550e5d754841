import type { Configuration, JobDefinition, Rule } from '../configuration.ts';
import type { Limits } from '../limits.ts';
import type { Pipeline, PlannedJob } from '../pipeline.ts';
import type { Ports } from '../ports.ts';
import { type Problem, Problems, problemAt, Refusal } from '../problem.ts';
import { ExpansionError, type Layer } from '../variables/scope.ts';
import { publicVariable, type Variable } from '../variables/variable.ts';
import { layerOf, type PipelineContext, Scopes } from './context.ts';
import { copiesOf, type JobCopy } from './job-names.ts';
import { linkJobs } from './link-jobs.ts';
import { plannedJob } from './planned-job.ts';
import { passesPolicies } from './ref-policies.ts';
import { RuleEvaluator } from './rule-evaluator.ts';

/** `filtered`: the `workflow` rules reject the event. `empty`: no job matches it. */
export type Plan = { warnings: readonly Problem[] } & (
  | { kind: 'pipeline'; pipeline: Pipeline }
  | { kind: 'filtered' | 'empty' | 'invalid'; errors: readonly Problem[] }
);

type Outcome = Pipeline | { kind: 'filtered' | 'empty'; message: string };

export interface PlanOptions {
  context: PipelineContext;
  limits: Limits;
  ports: Pick<Ports, 'fileExists' | 'changedPaths'>;
}

/** Chooses the jobs that run for one event. */
export async function planPipeline(configuration: Configuration, options: PlanOptions): Promise<Plan> {
  const problems = new Problems(options.limits.errors);
  const { warnings } = problems;
  const outcome = await new Planner(configuration, options, problems).plan().catch((error: unknown) => {
    problems.addThrown(error);
    return null;
  });
  const errors = problems.listed();
  if (errors.length > 0 || !outcome) return { kind: 'invalid', errors, warnings };
  if ('jobs' in outcome) return { kind: 'pipeline', pipeline: outcome, warnings };
  return { kind: outcome.kind, errors: [problemAt(null, outcome.message)], warnings };
}

class Planner {
  readonly #configuration: Configuration;
  readonly #options: PlanOptions;
  readonly #problems: Problems;
  readonly #evaluator: RuleEvaluator;
  readonly #scopes: Scopes;
  readonly #stageAt: ReadonlyMap<string, number>;
  /** Counted, because each job gets a copy. */
  #variables = 0;

  constructor(configuration: Configuration, options: PlanOptions, problems: Problems) {
    this.#configuration = configuration;
    this.#options = options;
    this.#problems = problems;
    this.#evaluator = new RuleEvaluator(options.ports, options.limits, problems);
    this.#scopes = new Scopes(options.context, options.limits);
    this.#stageAt = new Map(configuration.stages.map((stage, index) => [stage, index]));
  }

  async plan(): Promise<Outcome | null> {
    const { jobs, stages } = this.#configuration;
    const root = new Map([...this.#configuration.variables].map(([key, { value }]) => [key, value]));
    const rule = await this.#workflowRule(root);
    if (!rule) return { kind: 'filtered', message: 'Pipeline filtered out by workflow rules.' };
    for (const [key, value] of rule.variables) root.set(key, value);
    const rootVariables = [...root].map(([key, value]) => publicVariable(key, value));

    const planned: PlannedJob[] = [];
    for (const job of jobs.values()) {
      const inherited = this.#inherited(job, rootVariables);
      for (const copy of copiesOf(job)) {
        const one = await this.#plannedCopy(job, copy, inherited);
        if (one) planned.push(one);
      }
    }
    if (this.#problems.errors.length > 0) return null;
    if (planned.every(({ stage }) => stage === '.pre' || stage === '.post'))
      return { kind: 'empty', message: 'No stages / jobs for this pipeline.' };
    // The sort is stable, so jobs of a stage keep their written order.
    planned.sort((a, b) => a.stageIndex - b.stageIndex);
    const used = new Set(planned.map(({ stage }) => stage));
    return {
      stages: stages.filter((stage) => used.has(stage)),
      jobs: linkJobs(planned, jobs, this.#problems),
      variables: rootVariables,
    };
  }

  async #workflowRule(root: Layer): Promise<Pick<Rule, 'variables'> | null> {
    const { workflow } = this.#configuration;
    if (!workflow) return { variables: new Map() };
    const rule = await this.#evaluator.firstMatch(workflow, this.#scopes.scope(root));
    return rule === undefined || rule.when === 'never' ? null : rule;
  }

  #inherited({ inheritVariables: choice }: JobDefinition, root: readonly Variable[]): readonly Variable[] {
    if (typeof choice === 'boolean') return choice ? root : [];
    const names = new Set(choice);
    return root.filter(({ key }) => names.has(key));
  }

  async #plannedCopy(
    job: JobDefinition,
    copy: JobCopy,
    inherited: readonly Variable[],
  ): Promise<PlannedJob | null> {
    try {
      return await this.#plan(job, copy, inherited);
    } catch (error) {
      if (!(error instanceof ExpansionError)) throw error;
      this.#problems.error(job.place, `${copy.name}: ${error.message}`, { job: job.name });
      return null;
    }
  }

  async #plan(job: JobDefinition, copy: JobCopy, inherited: readonly Variable[]): Promise<PlannedJob | null> {
    const { context } = this.#options;
    const variables = this.#counted(job, withOwn(inherited, job.variables, copy.variables));
    const scopes = { scopes: this.#scopes, yaml: layerOf(variables) };
    const planned = plannedJob(job, copy, scopes);
    const scope = planned.scope;
    const rule = job.rules ? await this.#evaluator.firstMatch(job.rules, scope) : null;
    if (rule === undefined || rule?.when === 'never') return null;
    if (!job.rules && !(await passesPolicies(job, context, scope, this.#evaluator))) return null;
    const stageIndex = this.#stageAt.get(job.stage)!;
    const own = rule?.variables.size ? withOwn(variables, rule.variables) : variables;
    const ofRule = rule?.variables.size ? plannedJob(job, copy, { ...scopes, yaml: layerOf(own) }) : planned;
    return { ...ofRule.job, ...outcomeOf(job, rule), stageIndex, variables: own };
  }

  #counted(job: JobDefinition, variables: readonly Variable[]): readonly Variable[] {
    this.#variables += variables.length;
    if (this.#variables > this.#options.limits.jobVariables)
      throw new Refusal(
        job.place,
        `The jobs have too many variables: together at most ${this.#options.limits.jobVariables}`,
      );
    return variables;
  }
}

function withOwn(below: readonly Variable[], ...levels: readonly Layer[]): readonly Variable[] {
  if (levels.every(({ size }) => size === 0)) return below;
  const merged = new Map(below.map((variable) => [variable.key, variable]));
  for (const level of levels) for (const [key, value] of level) merged.set(key, publicVariable(key, value));
  return [...merged.values()];
}

/** The matching rule overrides the job. */
function outcomeOf(job: JobDefinition, rule: Rule | null) {
  const when = (rule?.when as JobDefinition['when'] | undefined) ?? job.when;
  return {
    when,
    startIn: when === 'delayed' ? (rule?.startIn ?? job.startIn) : null,
    // A job with `when: manual` may fail; one that a rule makes manual blocks the pipeline.
    allowFailure: rule?.allowFailure ?? job.allowFailure ?? job.when === 'manual',
    allowFailureExitCodes: rule?.allowFailure == null ? job.allowFailureExitCodes : null,
  };
}
