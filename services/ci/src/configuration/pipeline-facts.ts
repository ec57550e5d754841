import type { PipelineSource, RefKind } from '@forgelog/ci-config/pipeline.ts';
import type { PipelineContext } from '@forgelog/ci-config/planning/context.ts';
import type {
  MergeRequestFacts,
  PipelineFacts,
  ProjectFacts,
  ServerFacts,
} from '@forgelog/ci-config/variables/facts.ts';
import { pipelineVariables } from '@forgelog/ci-config/variables/predefined.ts';
import { NO_VARIABLES, type Variable, type VariableLevels } from '@forgelog/ci-config/variables/variable.ts';
import type { AnswerOf } from '@forgelog/contracts/operation.ts';
import type { describeRef } from '@forgelog/contracts/repo/repositories/repository-source.operations.ts';
import { API_VERSION } from '@forgelog/contracts/shared/api-version.ts';
import type { DirectoryProject } from '@forgelog/directory/collections.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';

type Described = Extract<AnswerOf<typeof describeRef>, { commit: unknown }>;
export type DescribedRef = Omit<Described, 'kind'> & { kind: RefKind };

export const ZERO_SHA = '0'.repeat(40);
export const DEFAULT_CONFIG_PATH = '.gitlab-ci.yml';

export interface PipelineEvent {
  project: DirectoryProject;
  described: DescribedRef;
  source: PipelineSource;
  user: Principal | null;
  /** Null for any event but a push. */
  beforeSha: string | null;
  createdAt: string;
  isFrozen: boolean;
  configured: Omit<VariableLevels, 'pipeline'>;
  given: readonly Variable[];
  triggerShortToken: string | null;
  /** What it is of; null for a branch or a tag. */
  mergeRequest: MergeRequestFacts | null;
  /** Open merge requests of the branch, as `group/project!1`. */
  openMergeRequests: readonly string[];
  externalUrl: string;
}

export function contextOf(event: PipelineEvent): PipelineContext {
  const { project, described, source, configured, given, externalUrl } = event;
  const facts = pipelineFacts(event);
  return {
    source,
    ref: facts.ref,
    refKind: described.kind,
    isProtectedRef: facts.isProtectedRef,
    projectPath: project.fullPath,
    hasKubernetes: facts.hasKubernetes,
    predefined: pipelineVariables(serverFacts(externalUrl), projectFacts(project), facts),
    variables: { ...configured, pipeline: given },
  };
}

/** For a text without a project, whose jobs are not chosen. */
export const CONTEXT_OF_NOTHING: PipelineContext = {
  source: 'api',
  ref: '',
  refKind: 'branch',
  isProtectedRef: false,
  projectPath: '',
  hasKubernetes: false,
  predefined: [],
  variables: NO_VARIABLES,
};

export const serverFacts = (externalUrl: string): ServerFacts => ({
  url: externalUrl,
  name: 'Forgelog',
  version: API_VERSION,
  revision: '',
  features: [],
  pagesDomain: null,
  templateRegistryHost: null,
  registry: null,
  dependencyProxy: null,
});

export const projectFacts = (project: DirectoryProject): ProjectFacts => ({
  id: project.id,
  path: project.path,
  title: project.name,
  fullPath: project.fullPath,
  visibility: project.visibility,
  languages: [],
  defaultBranch: project.defaultBranch,
  classificationLabel: '',
  pagesUrl: null,
});

function pipelineFacts({
  described,
  source,
  user,
  beforeSha,
  createdAt,
  isFrozen,
  triggerShortToken,
  mergeRequest,
  openMergeRequests,
}: PipelineEvent): PipelineFacts {
  const { ref, kind, isProtected, commit, settings } = described;
  return {
    // Not known before the pipeline exists; jobs get them when they start.
    id: null,
    iid: null,
    source,
    createdAt,
    ref: mergeRequest?.source.branch ?? ref,
    refKind: kind,
    isProtectedRef: isProtected,
    configPath: settings.configPath ?? DEFAULT_CONFIG_PATH,
    isTriggered: source === 'trigger',
    triggerShortToken,
    openMergeRequests,
    isFrozen,
    hasKubernetes: false,
    user: user && { id: user.userId, login: user.username, name: user.name, email: user.email },
    commit: { ...commit, beforeSha: beforeSha ?? ZERO_SHA },
    mergeRequest,
  };
}
