import type { Place } from './document/source-file.ts';
import type { Expression } from './expressions/expression.ts';

/** A checked configuration, independent of any event. Durations are whole seconds. */
export interface Configuration {
  /** All stages in order, with `.pre` and `.post` around them. */
  stages: readonly string[];
  variables: ReadonlyMap<string, RootVariable>;
  workflow: readonly Rule[] | null;
  /** Visible jobs in written order. */
  jobs: ReadonlyMap<string, JobDefinition>;
}

export interface RootVariable {
  value: string;
  /** Shown to people who start a pipeline by hand. */
  description: string | null;
}

export const JOB_WHEN = ['on_success', 'on_failure', 'always', 'manual', 'delayed'] as const;
export type JobWhen = (typeof JOB_WHEN)[number];
export type RuleWhen = JobWhen | 'never';

/** What the runner gets; planning does not change it. */
export interface JobContents {
  stage: string;
  /** Null if the job starts another pipeline instead. */
  script: readonly string[] | null;
  beforeScript: readonly string[];
  afterScript: readonly string[];
  image: Image | null;
  services: readonly Service[];
  cache: readonly Cache[];
  artifacts: Artifacts | null;
  /** Jobs whose artifacts are fetched; null means all jobs of earlier stages. */
  dependencies: readonly string[] | null;
  coverage: string | null;
  retry: Retry;
  /** Null uses the project's timeout. */
  timeout: number | null;
  tags: readonly string[];
  interruptible: boolean;
  resourceGroup: string | null;
  release: Release | null;
  trigger: Trigger | null;
}

export interface JobDefinition extends JobContents {
  name: string;
  place: Place;
  needs: readonly Need[] | null;
  environment: Environment | null;
  when: JobWhen;
  startIn: number | null;
  /** Null if not given: then manual jobs may fail, and others may not. */
  allowFailure: boolean | null;
  allowFailureExitCodes: readonly number[] | null;
  parallel: Parallel | null;
  variables: ReadonlyMap<string, string>;
  inheritVariables: boolean | readonly string[];
  rules: readonly Rule[] | null;
  only: RefPolicy | null;
  except: RefPolicy | null;
}

export interface Image {
  name: string;
  entrypoint: readonly string[] | null;
  ports: readonly Port[];
}

export interface Port {
  number: number;
  protocol: string;
  name: string;
}

export interface Service extends Image {
  alias: string | null;
  command: readonly string[] | null;
  variables: ReadonlyMap<string, string>;
}

export interface Cache {
  /** A text with variables, or files whose last commits give the key. */
  key: string | { files: readonly string[]; prefix: string | null };
  untracked: boolean;
  paths: readonly string[];
  policy: 'pull' | 'push' | 'pull-push';
  when: 'on_success' | 'on_failure' | 'always';
}

export interface Artifacts {
  name: string | null;
  untracked: boolean;
  paths: readonly string[];
  exclude: readonly string[];
  /** Paths by report type, such as `junit`. */
  reports: ReadonlyMap<string, readonly string[]>;
  /** Format of `coverage_report`, such as `cobertura`. */
  coverageFormat: string | null;
  when: 'on_success' | 'on_failure' | 'always';
  /** In seconds; null if not given. */
  expireIn: number | 'never' | null;
  /** As written: the runner gets this text. */
  expireInText: string | null;
  exposeAs: string | null;
  public: boolean;
}

export interface Retry {
  max: number;
  when: readonly string[];
}

export type Need =
  | { kind: 'job'; job: string; artifacts: boolean; optional: boolean; place: Place }
  | { kind: 'project'; project: string; job: string; ref: string; artifacts: boolean; place: Place }
  | { kind: 'pipeline'; pipeline: string; job: string; artifacts: boolean; place: Place }
  /** Mirrors the status of another project's pipeline. */
  | { kind: 'status'; project: string; place: Place };

export interface Environment {
  name: string;
  url: string | null;
  action: 'start' | 'stop' | 'prepare' | 'verify' | 'access';
  onStop: string | null;
  autoStopIn: number | null;
  deploymentTier: string | null;
  kubernetesNamespace: string | null;
}

export type Parallel =
  | { kind: 'count'; total: number }
  /** The variables of each copy. */
  | { kind: 'matrix'; copies: readonly ReadonlyMap<string, string>[] };

export interface Release {
  tagName: string;
  tagMessage: string | null;
  name: string | null;
  description: string;
  ref: string | null;
  releasedAt: string | null;
  milestones: readonly string[];
  links: readonly ReleaseLink[];
}

export interface ReleaseLink {
  name: string;
  url: string;
  filepath: string | null;
  linkType: string | null;
}

export type Trigger = { strategy: 'depend' | null; forward: TriggerForward } & (
  | { kind: 'project'; project: string; branch: string | null }
  | { kind: 'child'; include: readonly ChildInclude[] }
);

export interface TriggerForward {
  yamlVariables: boolean;
  pipelineVariables: boolean;
}

export type ChildInclude =
  | { kind: 'local'; path: string }
  | { kind: 'template'; name: string }
  | { kind: 'project'; project: string; path: string; ref: string | null }
  | { kind: 'artifact'; path: string; job: string };

export interface PathPatterns {
  patterns: readonly string[];
  place: Place;
}

export interface Rule {
  if: Expression | null;
  changes: PathPatterns | null;
  exists: PathPatterns | null;
  when: RuleWhen | null;
  startIn: number | null;
  allowFailure: boolean | null;
  variables: ReadonlyMap<string, string>;
}

export interface RefPolicy {
  refs: readonly string[];
  kubernetes: boolean;
  variables: readonly Expression[];
  changes: PathPatterns | null;
  /** Which conditions were given: an empty list of refs is one, and matches nothing. */
  has: { refs: boolean; variables: boolean };
}
