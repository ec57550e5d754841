import type { Configuration, JobDefinition, RootVariable, Rule } from './configuration.ts';
import { type Entry, type MapNode, type Node, valueAt } from './document/node.ts';
import { checkJobs } from './job-checks.ts';
import { GLOBALS, readDefaults } from './keywords/defaults.ts';
import { readJob } from './keywords/job.ts';
import { Location } from './keywords/location.ts';
import { attribute, readFields, texts } from './keywords/reader.ts';
import { PIPELINE_RULES, rules } from './keywords/rules.ts';
import { rootVariables } from './keywords/variables.ts';
import type { Limits } from './limits.ts';
import { type Problems, Refusal } from './problem.ts';

const DEFAULT_STAGES = ['build', 'test', 'deploy'];
const ROOT_KEYWORDS: ReadonlySet<string> = new Set([
  'default',
  'include',
  'variables',
  'stages',
  'types',
  'workflow',
  ...GLOBALS,
]);

/**
 * Checks and reads a merged configuration. @returns null after errors
 * @throws Refusal for too many jobs
 */
export function readConfiguration(root: MapNode, limits: Limits, problems: Problems): Configuration | null {
  const at = Location.root(problems);
  const workflow = readWorkflow(valueAt(root, 'workflow'), at);
  const written = jobEntries(root, limits);
  const jobs = readJobs(written, root, at, workflow !== null);
  const stages = readStages(root, at);
  const variables = readRootVariables(root, at);
  const configuration: Configuration = { stages, variables, workflow, jobs };
  if (problems.errors.length === 0) checkJobs(configuration, problems, limits);
  return problems.errors.length === 0 ? configuration : null;
}

const isHidden = (name: string) => name.startsWith('.');

function jobEntries(root: MapNode, { jobs }: Limits): [string, Entry][] {
  const entries = [...root.entries].filter(([name]) => !ROOT_KEYWORDS.has(name));
  const visible = entries.filter(([name]) => !isHidden(name));
  if (visible.length > jobs) throw tooManyJobs(visible[jobs]![1].key, visible.length, jobs);
  return entries;
}

const tooManyJobs = (place: Entry['key'], asked: number, limit: number) =>
  new Refusal(place, `Pipeline has too many jobs! Requested ${asked}, but the limit is ${limit}.`);

function readJobs(
  entries: readonly [string, Entry][],
  root: MapNode,
  at: Location,
  hasWorkflowRules: boolean,
): Map<string, JobDefinition> {
  const around = { defaults: readDefaults(root, at), hasWorkflowRules };
  const jobs = new Map<string, JobDefinition>();
  for (const [name, entry] of entries) {
    if (isHidden(name)) continue;
    const within = at.ofJob(name);
    const job = readJob(name, entry, within, around);
    if (!job) continue;
    jobs.set(name, job);
    warnOfLastRule(job, within, hasWorkflowRules);
  }
  if (entries.every(([name]) => isHidden(name)))
    at.part('jobs').error(root, 'should contain at least one visible job');
  return jobs;
}

/** A last rule without a condition can start both a branch pipeline and a merge request pipeline. */
function warnOfLastRule({ rules: own, place }: JobDefinition, at: Location, hasWorkflowRules: boolean): void {
  const last = own?.at(-1);
  if (!last || hasWorkflowRules || last.when === null || last.when === 'never') return;
  if (last.if || last.changes || last.exists || last.variables.size > 0) return;
  if (last.allowFailure !== null || last.startIn !== null) return;
  at.problems.warn(
    place,
    `${at.path} may allow multiple pipelines to run for a single action due to \`rules:when\` clause with no \`workflow:rules\``,
    { job: at.job, keyword: 'rules' },
  );
}

function readStages(root: MapNode, at: Location): string[] {
  const types = root.entries.get('types');
  if (types)
    at.problems.warn(types.key, 'root `types` is deprecated; write `stages` instead', { keyword: 'types' });
  const name = root.entries.has('stages') ? 'stages' : 'types';
  const node = valueAt(root, name);
  const read = node && !isEmpty(node) ? texts(node, at.part(name)) : DEFAULT_STAGES;
  const named = new Set(read ?? DEFAULT_STAGES);
  named.delete('.pre');
  named.delete('.post');
  return ['.pre', ...named, '.post'];
}

const isEmpty = (node: Node) =>
  (node.kind === 'scalar' && node.value === null) || (node.kind === 'list' && node.items.length === 0);

function readWorkflow(node: Node | undefined, at: Location): Rule[] | null {
  if (!node || isEmpty(node)) return null;
  const within = at.part('workflow');
  if (node.kind !== 'map') {
    within.error(node, 'should be a hash');
    return null;
  }
  return readFields(node, within, { rules: attribute(rules(PIPELINE_RULES)) }).rules ?? null;
}

function readRootVariables(root: MapNode, at: Location): ReadonlyMap<string, RootVariable> {
  const node = valueAt(root, 'variables');
  if (!node || isEmpty(node)) return new Map();
  return rootVariables(node, at.part('variables')) ?? new Map();
}
