import type { PipelineSource, RefKind } from '../pipeline.ts';

/** Inputs of predefined variables. Times are ISO 8601. */
export interface ServerFacts {
  /** External address without a trailing slash. */
  url: string;
  name: string;
  version: string;
  revision: string;
  /** Licensed features of the instance. */
  features: readonly string[];
  pagesDomain: string | null;
  templateRegistryHost: string | null;
  /** Host and port of the container registry. */
  registry: string | null;
  dependencyProxy: string | null;
}

export interface ProjectFacts {
  id: number;
  /** Last part of the path. */
  path: string;
  title: string;
  fullPath: string;
  visibility: string;
  languages: readonly string[];
  defaultBranch: string | null;
  classificationLabel: string;
  pagesUrl: string | null;
}

export interface CommitFacts {
  sha: string;
  beforeSha: string;
  message: string;
  /** As `Name <address>`. */
  author: string;
  timestamp: string;
}

export interface MergeRequestFacts {
  id: number;
  iid: number;
  title: string;
  eventType: 'detached' | 'merged_result' | 'merge_train';
  isApproved: boolean;
  assignees: readonly string[];
  labels: readonly string[];
  milestone: string | null;
  refPath: string;
  source: { branch: string; sha: string; project: { id: number; fullPath: string } };
  target: { branch: string; sha: string; project: { id: number; fullPath: string } };
  diffId: number | null;
  diffBaseSha: string | null;
}

export interface PipelineFacts {
  /** Null in a dry run. */
  id: number | null;
  iid: number | null;
  source: PipelineSource;
  createdAt: string;
  ref: string;
  refKind: RefKind;
  isProtectedRef: boolean;
  configPath: string;
  isTriggered: boolean;
  triggerShortToken: string | null;
  /** As `group/project!1`. */
  openMergeRequests: readonly string[];
  isFrozen: boolean;
  hasKubernetes: boolean;
  user: { id: number; login: string; name: string; email: string } | null;
  commit: CommitFacts;
  mergeRequest: MergeRequestFacts | null;
}

export interface JobFacts {
  name: string;
  stage: string;
  index: number | null;
  total: number | null;
  isManual: boolean;
  environment: EnvironmentFacts | null;
}

export interface EnvironmentFacts {
  name: string;
  slug: string | null;
  url: string | null;
  action: string;
  tier: string | null;
}

/** Known once a runner has the job. */
export interface RunFacts {
  id: number;
  token: string;
  startedAt: string;
  runner: { id: number; description: string; tags: readonly string[] };
  deployToken: { user: string; password: string } | null;
}
