import type { MessagePort } from 'node:worker_threads';
import { compile } from '@forgelog/ci-config/compile.ts';
import { compileGlob, type Glob } from '@forgelog/ci-config/patterns/glob.ts';
import type { PlannedJob } from '@forgelog/ci-config/pipeline.ts';
import type { IncludeAnswer, Origin, Ports } from '@forgelog/ci-config/ports.ts';
import { describeProblem } from '@forgelog/ci-config/problem.ts';
import type { Compilation, CompilationTask, CompiledPipeline, JobOutline, Sources } from './compilation.ts';
import { writeDefinitions } from './definitions.ts';
import { callsOver } from './thread-calls.ts';

/** A pipeline is one append to the log, which holds a megabyte. Definitions are read whole when a job starts. */
const LIMITS = { jobs: 1000, jobVariables: 500_000, includes: 100 } as const;
const MAX_COMPARISONS = 1_000_000;

/** Runs in a thread of its own: a megabyte takes seconds. */
export default async function compileTask({
  port,
  ...task
}: CompilationTask & { port: MessagePort }): Promise<Compilation> {
  try {
    return await compilationOf(task, callsOver<Sources>(port));
  } finally {
    port.close();
  }
}

async function compilationOf(task: CompilationTask, sources: Sources): Promise<Compilation> {
  const { path, text, origin, context, plans } = task;
  const compiled = await compile({
    ...{ path, text, origin, context },
    ports: portsOf(sources, origin),
    limits: LIMITS,
  });
  const plan = plans && compiled.configuration ? await compiled.plan() : null;
  const hasNoJobs = plan?.kind === 'empty' || plan?.kind === 'filtered';
  const planned = plan?.kind === 'pipeline' ? plan.pipeline : null;
  const errors = plan && plan.kind !== 'pipeline' ? plan.errors : compiled.errors;
  return {
    errors: errors.map(describeProblem),
    warnings: [...compiled.warnings, ...(plan?.warnings ?? [])].map(describeProblem),
    mergedYaml: compiled.mergedYaml(),
    hasNoJobs,
    pipeline: planned && {
      stages: planned.stages,
      jobs: planned.jobs.map(outlineOf),
      definitions: writeDefinitions(planned, context.predefined),
    },
  } satisfies Compilation & { pipeline: CompiledPipeline | null };
}

function outlineOf({
  script: _,
  beforeScript: __,
  afterScript: ___,
  image: ____,
  services: _____,
  cache: ______,
  release: _______,
  variables: ________,
  ...outline
}: PlannedJob): JobOutline {
  return outline;
}

function portsOf(sources: Sources, root: Origin): Ports {
  const listings = new Map<string, ReturnType<Sources['paths']>>();
  let comparisons = MAX_COMPARISONS;

  function pathsBelow(glob: Glob, from: Origin) {
    const folder = glob.isLiteral ? glob.text : glob.prefix.replace(/\/$/, '');
    const key = `${from.project} ${from.sha} ${folder}`;
    const known = listings.get(key) ?? sources.paths(folder, from);
    listings.set(key, known);
    return known;
  }

  async function matchingFiles(pattern: string, from: Origin): Promise<IncludeAnswer> {
    const glob = compileGlob(pattern);
    if (!glob) return { refused: 'no file' };
    const { paths } = await pathsBelow(glob, from);
    const found = paths.filter((path) => glob.matches(path)).sort();
    // Too many are refused for their number, so their texts are not needed.
    if (found.length > LIMITS.includes) return { files: found.map((name) => ({ name, text: '' })) };
    return found.length === 0 ? { refused: 'no file' } : sources.files(found, from);
  }

  return {
    async readInclude(reference, from) {
      if (reference.kind !== 'local') return sources.include(reference, from);
      const path = reference.path.replace(/^\/+/, '');
      return path.includes('*') ? matchingFiles(path, from) : sources.files([path], from);
    },
    async fileExists(glob) {
      const { paths, isComplete } = await pathsBelow(glob, root);
      if (!isComplete || comparisons < paths.length) return true;
      comparisons -= paths.length;
      return paths.some((path) => glob.matches(path));
    },
    changedPaths: () => sources.changedPaths(),
  };
}
