import type { PlannedJob } from '@forgelog/ci-config/pipeline.ts';
import type { PipelineContext } from '@forgelog/ci-config/planning/context.ts';
import type { IncludeAnswer, IncludeReference, Origin } from '@forgelog/ci-config/ports.ts';

/* What a thread that compiles gets, asks and gives. All of it can be cloned between threads. */

export interface CompilationTask {
  path: string;
  text: string;
  /** Its `project` is an id. */
  origin: Origin;
  context: PipelineContext;
  plans: boolean;
}

/** The questions of a thread. A path with `*` never reaches `include`: the thread lists paths and matches them. */
export interface Sources {
  include(reference: IncludeReference, from: Origin): Promise<IncludeAnswer>;
  files(paths: readonly string[], from: Origin): Promise<IncludeAnswer>;
  /** Paths of the files below a folder, or of the file with this path. */
  paths(folder: string, from: Origin): Promise<{ paths: readonly string[]; isComplete: boolean }>;
  changedPaths(): Promise<readonly string[] | null>;
}

/** What the state of a job, its queue and its answers need. The rest is in the definitions. */
export type JobOutline = Omit<
  PlannedJob,
  'script' | 'beforeScript' | 'afterScript' | 'image' | 'services' | 'cache' | 'release' | 'variables'
>;

export interface CompiledPipeline {
  stages: readonly string[];
  jobs: readonly JobOutline[];
  /** For `readDefinitions`, compressed. */
  definitions: Uint8Array;
}

export interface Compilation {
  errors: readonly string[];
  warnings: readonly string[];
  mergedYaml: string | null;
  pipeline: CompiledPipeline | null;
  /** Whether the rules of `workflow` reject the event, or no job matches it: there is no pipeline, and no mistake. */
  hasNoJobs: boolean;
}
