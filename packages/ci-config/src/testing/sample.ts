import { type Compiled, compile } from '../compile.ts';
import type { Limits } from '../limits.ts';
import type { Pipeline, PipelineSource, PlannedJob, RefKind } from '../pipeline.ts';
import type { PipelineContext } from '../planning/context.ts';
import type { IncludeAnswer, IncludeReference, Origin } from '../ports.ts';
import { describeProblem } from '../problem.ts';
import type { PipelineFacts, ProjectFacts, ServerFacts } from '../variables/facts.ts';
import { pipelineVariables } from '../variables/predefined.ts';
import { NO_VARIABLES, publicVariable, type VariableLevels } from '../variables/variable.ts';

export const server: ServerFacts = {
  url: 'https://forge.example',
  name: 'Forgelog',
  version: '14.3.2',
  revision: 'abc1234',
  features: [],
  pagesDomain: null,
  templateRegistryHost: null,
  registry: 'registry.example:5050',
  dependencyProxy: null,
};

export const project: ProjectFacts = {
  id: 7,
  path: 'web',
  title: 'Web',
  fullPath: 'acme/web',
  visibility: 'private',
  languages: ['Ruby'],
  defaultBranch: 'main',
  classificationLabel: '',
  pagesUrl: null,
};

export const pipeline: PipelineFacts = {
  id: 70,
  iid: 3,
  source: 'push',
  createdAt: '2021-10-01T12:00:00Z',
  ref: 'main',
  refKind: 'branch',
  isProtectedRef: true,
  configPath: '.gitlab-ci.yml',
  isTriggered: false,
  triggerShortToken: null,
  openMergeRequests: [],
  isFrozen: false,
  hasKubernetes: false,
  user: { id: 5, login: 'ada', name: 'Ada', email: 'ada@forge.example' },
  commit: {
    sha: 'f'.repeat(40),
    beforeSha: '0'.repeat(40),
    message: 'Add a page\n\nWith words.\n',
    author: 'Ada <ada@forge.example>',
    timestamp: '2021-10-01T11:59:00Z',
  },
  mergeRequest: null,
};

/** By default a push to `main` with unknown changed paths. */
export interface SampleEvent {
  source?: PipelineSource;
  ref?: string;
  refKind?: RefKind;
  isProtectedRef?: boolean;
  hasKubernetes?: boolean;
  /** Variables given with the pipeline. */
  given?: Readonly<Record<string, string>>;
  variables?: Partial<VariableLevels>;
  files?: readonly string[];
  changed?: readonly string[] | null;
  /** Files that `include` finds by path, or a port. */
  includes?:
    | Readonly<Record<string, string>>
    | ((reference: IncludeReference, from: Origin) => IncludeAnswer);
  limits?: Partial<Limits>;
}

export function contextOf(event: SampleEvent): PipelineContext {
  const {
    source = 'push',
    ref = 'main',
    refKind = 'branch',
    isProtectedRef = true,
    hasKubernetes = false,
  } = event;
  const facts: PipelineFacts = { ...pipeline, source, ref, refKind, isProtectedRef, hasKubernetes };
  const given = Object.entries(event.given ?? {}).map(([key, value]) => publicVariable(key, value));
  return {
    source,
    ref,
    refKind,
    isProtectedRef,
    hasKubernetes,
    projectPath: project.fullPath,
    predefined: pipelineVariables(server, project, facts),
    variables: { ...NO_VARIABLES, pipeline: given, ...event.variables },
  };
}

export function compileText(text: string, event: SampleEvent = {}): Promise<Compiled> {
  return compile({
    path: '.gitlab-ci.yml',
    text,
    origin: { project: project.fullPath, sha: pipeline.commit.sha },
    context: contextOf(event),
    ports: {
      readInclude: async (reference, from) => answer(event, reference, from),
      fileExists: async (glob) => (event.files ?? []).some((path) => glob.matches(path)),
      changedPaths: async () => event.changed ?? null,
    },
    limits: event.limits,
  });
}

function answer({ includes = {} }: SampleEvent, reference: IncludeReference, from: Origin): IncludeAnswer {
  if (typeof includes === 'function') return includes(reference, from);
  const name = 'path' in reference ? reference.path : 'name' in reference ? reference.name : reference.url;
  const text = includes[name];
  return text === undefined ? { refused: 'no file' } : { files: [{ name, text }] };
}

/** @throws Error with all errors if there is no pipeline */
export async function pipelineOf(text: string, event: SampleEvent = {}): Promise<Pipeline> {
  const plan = await (await compileText(text, event)).plan();
  if (plan.kind !== 'pipeline')
    throw new Error(`${plan.kind}: ${plan.errors.map(describeProblem).join('\n')}`);
  return plan.pipeline;
}

export async function jobsOf(text: string, event: SampleEvent = {}): Promise<PlannedJob[]> {
  return [...(await pipelineOf(text, event)).jobs];
}

/** Names of the jobs, with `when` unless it is `on_success`. */
export async function namesOf(text: string, event: SampleEvent = {}): Promise<string[]> {
  const plan = await (await compileText(text, event)).plan();
  if (plan.kind !== 'pipeline') return [plan.kind, ...plan.errors.map(({ message }) => message)];
  return plan.pipeline.jobs.map(({ name, when }) => (when === 'on_success' ? name : `${name}: ${when}`));
}

/** Errors of compiling, else of planning, with their places. */
export async function errorsOf(text: string, event: SampleEvent = {}): Promise<string[]> {
  const compiled = await compileText(text, event);
  if (compiled.errors.length > 0) return compiled.errors.map(describeProblem);
  const plan = await compiled.plan();
  return plan.kind === 'pipeline' ? [] : plan.errors.map(describeProblem);
}
