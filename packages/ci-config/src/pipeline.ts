import type { Environment, JobContents, JobWhen, Need } from './configuration.ts';
import type { Variable } from './variables/variable.ts';

export type PipelineSource =
  | 'push'
  | 'web'
  | 'trigger'
  | 'schedule'
  | 'api'
  | 'external'
  | 'pipeline'
  | 'chat'
  | 'webide'
  | 'merge_request_event'
  | 'external_pull_request_event'
  | 'parent_pipeline';

export type RefKind = 'branch' | 'tag' | 'merge_request';

/** A pipeline of one configuration for one event, not stored yet. */
export interface Pipeline {
  /** Stages that have jobs, in order. */
  stages: readonly string[];
  /** Ordered by stage, then as written. */
  jobs: readonly PlannedJob[];
  /** Variables of the root, and of the `workflow` rule that matches. */
  variables: readonly Variable[];
}

export interface PlannedJob extends JobContents {
  name: string;
  /** Name in the configuration; copies of a parallel job share it. */
  baseName: string;
  stageIndex: number;
  /** Number of the copy, from 1; both are null without `parallel`. */
  index: number | null;
  total: number | null;
  when: JobWhen;
  /** In seconds, for `delayed` only. */
  startIn: number | null;
  allowFailure: boolean;
  allowFailureExitCodes: readonly number[] | null;
  /** Null waits for all earlier stages; an empty list waits for nothing. */
  needs: readonly PlannedNeed[] | null;
  environment: Environment | null;
  /** Variables of the configuration only, each key once. */
  variables: readonly Variable[];
}

/** `job` names a job of the same pipeline; the other kinds reach beyond it. */
export type PlannedNeed =
  | { kind: 'job'; job: string; artifacts: boolean; optional: boolean }
  | Exclude<WithoutPlace<Need>, { kind: 'job' }>;

type WithoutPlace<T> = T extends unknown ? Omit<T, 'place'> : never;
