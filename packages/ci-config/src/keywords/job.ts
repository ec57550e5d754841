import { JOB_WHEN, type JobContents, type JobDefinition } from '../configuration.ts';
import { type Entry, isNull, type MapNode } from '../document/node.ts';
import { NAME_LENGTH } from '../limits.ts';
import { compilePattern } from '../patterns/regular-expression.ts';
import { INHERITABLE, type Inherited, inheritable } from './defaults.ts';
import { environment } from './environment.ts';
import { INHERIT_ALL, inherit, inherits } from './inherit.ts';
import type { Location } from './location.ts';
import { needs } from './needs.ts';
import { parallel } from './parallel.ts';
import {
  attribute,
  duration,
  oneOf,
  part,
  type Reader,
  type RecordOf,
  readFields,
  shared,
  text,
  texts,
} from './reader.ts';
import { DEFAULT_POLICY, except, only } from './ref-policy.ts';
import { release } from './release.ts';
import { checkDelay, DELAY_LIMIT, JOB_RULES, rules } from './rules.ts';
import { script } from './scripts.ts';
import { trigger } from './trigger.ts';
import { variables } from './variables.ts';

type AllowFailure = boolean | { exitCodes: number[] };

const exitCodes: Reader<number[]> = (node, at) => {
  const nodes = node.kind === 'list' ? node.items : [node];
  if (!nodes.every((one) => one.kind === 'scalar' && Number.isInteger(one.value)))
    return at.error(node, 'should be an array of integers or an integer');
  return nodes.map((one) => (one as { value: number }).value);
};

const allowFailure: Reader<AllowFailure> = (node, at) => {
  if (node.kind !== 'map')
    return node.kind === 'scalar' && typeof node.value === 'boolean'
      ? node.value
      : at.error(node, 'should be a hash or a boolean value');
  const { exit_codes: codes } = readFields(node, at, { exit_codes: attribute(exitCodes) });
  return codes
    ? { exitCodes: codes }
    : node.entries.has('exit_codes')
      ? undefined
      : at.error(node, 'is missing required keys: exit_codes');
};

const coverage: Reader<string> = (node, at) => {
  const written = text(node, at);
  if (written === undefined) return undefined;
  return compilePattern(written) ? written : at.error(node, 'must be a regular expression');
};

/** Keywords of every job. */
const COMMON = {
  stage: attribute(text),
  only: part(only),
  except: part(except),
  rules: part(rules(JOB_RULES)),
  variables: part(variables),
  inherit: part(inherit),
  needs: part(needs),
  resource_group: attribute(text),
  allow_failure: part(allowFailure),
};

const BUILD = shared({
  ...COMMON,
  ...INHERITABLE,
  script: part(script),
  type: attribute(text),
  when: attribute(oneOf(JOB_WHEN)),
  start_in: attribute(duration(DELAY_LIMIT)),
  dependencies: attribute(texts),
  environment: part(environment),
  coverage: part(coverage),
  release: part(release),
  parallel: part(parallel),
});

/** Keywords of a job that starts another pipeline and needs no runner. */
const BRIDGE = shared({
  ...COMMON,
  trigger: part(trigger),
  when: attribute(oneOf(['on_success', 'on_failure', 'always', 'manual'])),
  parallel: part(parallel),
});

export interface JobSurroundings {
  defaults: Inherited;
  /** Then jobs without conditions run in every pipeline, not only for branches and tags. */
  hasWorkflowRules: boolean;
}

export function readJob(
  name: string,
  { key: place, value: node }: Entry,
  at: Location,
  around: JobSurroundings,
): JobDefinition | undefined {
  if (name.length > NAME_LENGTH)
    return at.attribute('name').error(place, `is too long (maximum is ${NAME_LENGTH} characters)`);
  if (name.trim() === '') return at.attribute('name').error(place, "can't be blank");
  if (node.kind !== 'map' || !isJob(node))
    return at.error(place, 'should implement a script: or a trigger: keyword');
  checkConditions(node, at);
  const read: ReadJob = node.entries.has('script')
    ? readFields(node, at, BUILD)
    : readFields(node, at, BRIDGE);
  return definition(name, node, at, around, read);
}

type ReadJob = RecordOf<Omit<typeof BRIDGE, 'when'> & typeof BUILD>;

const isJob = (node: MapNode) => ['script', 'trigger', 'needs'].some((key) => node.entries.has(key));

function checkConditions(node: MapNode, at: Location): void {
  const isThere = (key: string) => !isNull(node.entries.get(key)?.value);
  if (!isThere('rules')) return;
  for (const key of ['only', 'except', 'start_in'])
    if (isThere(key)) at.error(node.entries.get(key)!.key, `key may not be used with \`rules\`: ${key}`);
}

function definition(
  name: string,
  node: MapNode,
  at: Location,
  around: JobSurroundings,
  read: ReadJob,
): JobDefinition {
  checkParts(node, at, read);
  const inheritance = read.inherit ?? INHERIT_ALL;
  const inherited = Object.fromEntries(
    Object.entries(around.defaults).filter(([key]) => inherits(inheritance.default, key)),
  ) as Inherited;
  const isBridge = !node.entries.has('script');
  const allowed = read.allow_failure;
  const contents: JobContents = {
    ...inheritable(isBridge ? {} : { ...inherited, ...withoutMissing(read, INHERITABLE) }),
    stage: read.stage ?? read.type ?? 'test',
    script: read.script ?? null,
    dependencies: read.dependencies ?? null,
    coverage: read.coverage ?? null,
    resourceGroup: read.resource_group ?? null,
    release: read.release ?? null,
    trigger: read.trigger ?? null,
  };
  const isConditional = read.rules !== undefined || around.hasWorkflowRules;
  return {
    ...contents,
    name,
    place: { file: node.file, offset: node.offset },
    needs: read.needs ?? null,
    environment: read.environment ?? null,
    when: read.when ?? 'on_success',
    startIn: read.start_in ?? null,
    allowFailure: typeof allowed === 'object' ? false : (allowed ?? null),
    allowFailureExitCodes: typeof allowed === 'object' ? allowed.exitCodes : null,
    parallel: read.parallel ?? null,
    variables: read.variables ?? new Map(),
    inheritVariables: inheritance.variables,
    rules: read.rules ?? null,
    only: read.only ?? (isConditional ? null : DEFAULT_POLICY),
    except: read.except ?? null,
  };
}

const withoutMissing = (read: ReadJob, fields: object): Inherited =>
  Object.fromEntries(Object.entries(read).filter(([key, value]) => key in fields && value !== undefined));

/** Checks that concern several keywords. */
function checkParts(node: MapNode, at: Location, read: ReadJob): void {
  const script = node.entries.get('script');
  if (!script) checkBridge(node, at, read);
  else if (isNull(script.value) || read.script?.length === 0)
    at.attribute('script').error(script.key, "can't be blank");
  if (!read.rules) checkDelay(node, at, read.when === 'delayed');
  if (typeof read.allow_failure === 'object' && !node.entries.has('script'))
    at.attribute('allow_failure').error(node, 'should be a boolean value');
  if (!read.needs || !read.dependencies) return;
  const needed = new Set(read.needs.map((need) => (need.kind === 'job' ? need.job : '')));
  const missing = read.dependencies.filter((job) => !needed.has(job));
  if (missing.length > 0)
    at.attribute('dependencies').error(
      node.entries.get('dependencies')!.key,
      `the ${missing.join(', ')} should be part of needs`,
    );
}

function checkBridge(node: MapNode, at: Location, { trigger: started, needs: needed = [] }: ReadJob): void {
  const statuses = needed.filter(({ kind }) => kind === 'status');
  if (!started && statuses.length === 0 && !node.entries.has('trigger'))
    at.error(node, 'should contain either a trigger or a needs:pipeline');
  if (statuses.length > 1) at.error(node, 'should contain at most one bridge need');
}
