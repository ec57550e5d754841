import type { JobFacts, PipelineFacts, ProjectFacts, RunFacts, ServerFacts } from './facts.ts';
import { mergeRequestVariables } from './merge-request-variables.ts';
import { slugOf } from './slug.ts';
import { publicVariable, type Variable } from './variable.ts';

/** Values by key; null and undefined values define no variable. */
export type Values = Readonly<Record<string, string | number | boolean | null | undefined>>;

export function variablesOf(values: Values): Variable[] {
  return Object.entries(values)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([key, value]) => publicVariable(key, String(value)));
}

const secret = (key: string, value: string): Variable => ({
  ...publicVariable(key, value),
  public: false,
  masked: true,
});

const SHORT_SHA = 8;
/** Some variables are `true` or absent, never `false`. */
const flag = (isSet: boolean) => (isSet ? 'true' : null);

/** Variables of all jobs of a pipeline, known before planning. */
export function pipelineVariables(
  server: ServerFacts,
  project: ProjectFacts,
  pipeline: PipelineFacts,
): Variable[] {
  return variablesOf({
    CI: 'true',
    GITLAB_CI: 'true',
    ...ofServer(server),
    ...ofProject(server, project),
    ...ofPipeline(server, project, pipeline),
    ...ofCommit(pipeline),
    ...(pipeline.mergeRequest ? mergeRequestVariables(server, pipeline.mergeRequest) : {}),
    GITLAB_USER_ID: pipeline.user?.id,
    GITLAB_USER_EMAIL: pipeline.user?.email,
    GITLAB_USER_LOGIN: pipeline.user?.login,
    GITLAB_USER_NAME: pipeline.user?.name,
  });
}

function ofServer(server: ServerFacts): Values {
  const { hostname, port, protocol } = new URL(server.url);
  const [major, minor, patch] = server.version.split(/[.-]/);
  return {
    CI_SERVER: 'yes',
    CI_SERVER_URL: server.url,
    CI_SERVER_HOST: hostname,
    CI_SERVER_PORT: port === '' ? (protocol === 'https:' ? 443 : 80) : port,
    CI_SERVER_PROTOCOL: protocol.slice(0, -1),
    CI_SERVER_NAME: server.name,
    CI_SERVER_VERSION: server.version,
    CI_SERVER_VERSION_MAJOR: major,
    CI_SERVER_VERSION_MINOR: minor,
    CI_SERVER_VERSION_PATCH: patch,
    CI_SERVER_REVISION: server.revision,
    GITLAB_FEATURES: server.features.join(','),
    CI_API_V4_URL: `${server.url}/api/v4`,
    CI_PAGES_DOMAIN: server.pagesDomain,
    CI_TEMPLATE_REGISTRY_HOST: server.templateRegistryHost,
    CI_REGISTRY: server.registry,
  };
}

function ofProject(server: ServerFacts, project: ProjectFacts): Values {
  const namespace = project.fullPath.slice(0, project.fullPath.lastIndexOf('/'));
  const [rootNamespace] = project.fullPath.split('/');
  const registryPath = project.fullPath.toLowerCase();
  const { dependencyProxy } = server;
  return {
    CI_PROJECT_ID: project.id,
    CI_PROJECT_NAME: project.path,
    CI_PROJECT_TITLE: project.title,
    CI_PROJECT_PATH: project.fullPath,
    CI_PROJECT_PATH_SLUG: slugOf(project.fullPath),
    CI_PROJECT_NAMESPACE: namespace,
    CI_PROJECT_ROOT_NAMESPACE: rootNamespace,
    CI_PROJECT_URL: `${server.url}/${project.fullPath}`,
    CI_PROJECT_VISIBILITY: project.visibility,
    CI_PROJECT_REPOSITORY_LANGUAGES: project.languages.join(',').toLowerCase(),
    CI_PROJECT_CLASSIFICATION_LABEL: project.classificationLabel,
    CI_DEFAULT_BRANCH: project.defaultBranch,
    CI_PAGES_URL: project.pagesUrl,
    CI_REGISTRY_IMAGE: server.registry && `${server.registry}/${registryPath}`,
    CI_DEPENDENCY_PROXY_SERVER: dependencyProxy,
    CI_DEPENDENCY_PROXY_GROUP_IMAGE_PREFIX:
      dependencyProxy && `${dependencyProxy}/${rootNamespace!.toLowerCase()}/dependency_proxy/containers`,
    CI_DEPENDENCY_PROXY_DIRECT_GROUP_IMAGE_PREFIX:
      dependencyProxy && `${dependencyProxy}/${namespace.toLowerCase()}/dependency_proxy/containers`,
  };
}

function ofPipeline(server: ServerFacts, project: ProjectFacts, pipeline: PipelineFacts): Values {
  return {
    CI_PIPELINE_ID: pipeline.id,
    CI_PIPELINE_IID: pipeline.iid,
    CI_PIPELINE_URL: pipeline.id && `${server.url}/${project.fullPath}/-/pipelines/${pipeline.id}`,
    CI_PIPELINE_SOURCE: pipeline.source,
    CI_PIPELINE_CREATED_AT: pipeline.createdAt,
    CI_PIPELINE_TRIGGERED: flag(pipeline.isTriggered),
    CI_TRIGGER_SHORT_TOKEN: pipeline.triggerShortToken,
    CI_CONFIG_PATH: pipeline.configPath,
    CI_OPEN_MERGE_REQUESTS: pipeline.openMergeRequests.join(',') || null,
    CI_DEPLOY_FREEZE: flag(pipeline.isFrozen),
    CI_KUBERNETES_ACTIVE: flag(pipeline.hasKubernetes),
  };
}

function ofCommit({ commit, ref, refKind, isProtectedRef }: PipelineFacts): Values {
  const title = commit.message.split('\n', 1)[0]!.trimEnd();
  const tag = refKind === 'tag' ? ref : null;
  const slug = slugOf(ref);
  return {
    CI_COMMIT_SHA: commit.sha,
    CI_COMMIT_SHORT_SHA: commit.sha.slice(0, SHORT_SHA),
    CI_COMMIT_BEFORE_SHA: commit.beforeSha,
    CI_COMMIT_REF_NAME: ref,
    CI_COMMIT_REF_SLUG: slug,
    CI_COMMIT_REF_PROTECTED: isProtectedRef,
    CI_COMMIT_BRANCH: refKind === 'branch' ? ref : null,
    CI_COMMIT_TAG: tag,
    CI_COMMIT_MESSAGE: commit.message,
    CI_COMMIT_TITLE: title,
    CI_COMMIT_DESCRIPTION: commit.message.slice(title.length).trim(),
    CI_COMMIT_AUTHOR: commit.author,
    CI_COMMIT_TIMESTAMP: commit.timestamp,
    // Names from before version 9, which some files still use.
    CI_BUILD_REF: commit.sha,
    CI_BUILD_BEFORE_SHA: commit.beforeSha,
    CI_BUILD_REF_NAME: ref,
    CI_BUILD_REF_SLUG: slug,
    CI_BUILD_TAG: tag,
  };
}

/** Variables of one job, known when it is planned. */
export function jobVariables({ name, stage, index, total, isManual, environment }: JobFacts): Variable[] {
  return variablesOf({
    CI_JOB_NAME: name,
    CI_JOB_STAGE: stage,
    CI_JOB_MANUAL: flag(isManual),
    CI_NODE_INDEX: index,
    CI_NODE_TOTAL: total ?? 1,
    CI_BUILD_NAME: name,
    CI_BUILD_STAGE: stage,
    CI_BUILD_MANUAL: flag(isManual),
    CI_ENVIRONMENT_NAME: environment?.name,
    CI_ENVIRONMENT_SLUG: environment?.slug,
    CI_ENVIRONMENT_ACTION: environment?.action,
    CI_ENVIRONMENT_TIER: environment?.tier,
    CI_ENVIRONMENT_URL: environment?.url,
  });
}

/** Variables known when a runner gets the job: ids and credentials. */
export function runVariables(server: ServerFacts, project: ProjectFacts, run: RunFacts): Variable[] {
  const { host, protocol } = new URL(server.url);
  const repository = `${protocol}//gitlab-ci-token:${run.token}@${host}${new URL(server.url).pathname.replace(/\/$/, '')}/${project.fullPath}.git`;
  return [
    ...variablesOf({
      CI_JOB_ID: run.id,
      CI_JOB_URL: `${server.url}/${project.fullPath}/-/jobs/${run.id}`,
      CI_JOB_STARTED_AT: run.startedAt,
      CI_BUILD_ID: run.id,
      CI_RUNNER_ID: run.runner.id,
      CI_RUNNER_DESCRIPTION: run.runner.description,
      CI_RUNNER_TAGS: run.runner.tags.join(', '),
      CI_REGISTRY_USER: server.registry && 'gitlab-ci-token',
      CI_DEPENDENCY_PROXY_USER: server.dependencyProxy && 'gitlab-ci-token',
      CI_DEPLOY_USER: run.deployToken?.user,
    }),
    secret('CI_JOB_TOKEN', run.token),
    secret('CI_BUILD_TOKEN', run.token),
    { ...publicVariable('CI_REPOSITORY_URL', repository), public: false },
    ...(server.registry ? [secret('CI_REGISTRY_PASSWORD', run.token)] : []),
    ...(server.dependencyProxy ? [secret('CI_DEPENDENCY_PROXY_PASSWORD', run.token)] : []),
    ...(run.deployToken ? [secret('CI_DEPLOY_PASSWORD', run.deployToken.password)] : []),
  ];
}
