import { expect, test } from 'vitest';
import { pipeline, project, server } from '../testing/sample.ts';
import { jobVariables, pipelineVariables, runVariables } from './predefined.ts';
import { slugOf } from './slug.ts';
import type { Variable } from './variable.ts';

const values = (variables: readonly Variable[]) =>
  Object.fromEntries(variables.map(({ key, value }) => [key, value]));

test('a push to a branch', () => {
  expect(values(pipelineVariables(server, project, pipeline))).toMatchObject({
    CI: 'true',
    GITLAB_CI: 'true',
    CI_SERVER: 'yes',
    CI_SERVER_HOST: 'forge.example',
    CI_SERVER_PORT: '443',
    CI_SERVER_PROTOCOL: 'https',
    CI_SERVER_VERSION_MAJOR: '14',
    CI_SERVER_VERSION_MINOR: '3',
    CI_SERVER_VERSION_PATCH: '2',
    CI_API_V4_URL: 'https://forge.example/api/v4',
    CI_PROJECT_ID: '7',
    CI_PROJECT_NAME: 'web',
    CI_PROJECT_PATH: 'acme/web',
    CI_PROJECT_PATH_SLUG: 'acme-web',
    CI_PROJECT_NAMESPACE: 'acme',
    CI_PROJECT_ROOT_NAMESPACE: 'acme',
    CI_PROJECT_URL: 'https://forge.example/acme/web',
    CI_DEFAULT_BRANCH: 'main',
    CI_REGISTRY_IMAGE: 'registry.example:5050/acme/web',
    CI_PIPELINE_ID: '70',
    CI_PIPELINE_IID: '3',
    CI_PIPELINE_SOURCE: 'push',
    CI_PIPELINE_URL: 'https://forge.example/acme/web/-/pipelines/70',
    CI_COMMIT_SHA: 'f'.repeat(40),
    CI_COMMIT_SHORT_SHA: 'f'.repeat(8),
    CI_COMMIT_REF_NAME: 'main',
    CI_COMMIT_BRANCH: 'main',
    CI_COMMIT_REF_PROTECTED: 'true',
    CI_COMMIT_TITLE: 'Add a page',
    CI_COMMIT_DESCRIPTION: 'With words.',
    CI_COMMIT_MESSAGE: 'Add a page\n\nWith words.\n',
    GITLAB_USER_LOGIN: 'ada',
  });
});

test('what is not so is not defined', () => {
  const found = values(pipelineVariables(server, project, pipeline));
  for (const key of [
    'CI_COMMIT_TAG',
    'CI_MERGE_REQUEST_IID',
    'CI_DEPLOY_FREEZE',
    'CI_PIPELINE_TRIGGERED',
    'CI_PAGES_DOMAIN',
    'CI_OPEN_MERGE_REQUESTS',
    'CI_KUBERNETES_ACTIVE',
  ])
    expect(found).not.toHaveProperty(key);
});

test('a tag has a tag and no branch, a pipeline that is only tried has no id', () => {
  const found = values(
    pipelineVariables(server, project, { ...pipeline, id: null, ref: 'v1', refKind: 'tag', isFrozen: true }),
  );
  expect(found).toMatchObject({ CI_COMMIT_TAG: 'v1', CI_COMMIT_REF_NAME: 'v1', CI_DEPLOY_FREEZE: 'true' });
  expect(found).not.toHaveProperty('CI_COMMIT_BRANCH');
  expect(found).not.toHaveProperty('CI_PIPELINE_URL');
});

test('a merge request', () => {
  const side = (branch: string) => ({ branch, sha: branch, project: { id: 7, fullPath: 'acme/web' } });
  const mergeRequest = {
    id: 9,
    iid: 2,
    title: 'T',
    eventType: 'detached' as const,
    isApproved: true,
    assignees: ['ada', 'bob'],
    labels: ['a', 'b'],
    milestone: null,
    refPath: 'refs/merge-requests/2/head',
    source: side('feature'),
    target: side('main'),
    diffId: 1,
    diffBaseSha: 'abc',
  };
  const found = values(
    pipelineVariables(server, project, {
      ...pipeline,
      refKind: 'merge_request',
      ref: 'refs/merge-requests/2/head',
      mergeRequest,
    }),
  );
  expect(found).toMatchObject({
    CI_MERGE_REQUEST_IID: '2',
    CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'feature',
    CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
    CI_MERGE_REQUEST_ASSIGNEES: 'ada, bob',
    CI_MERGE_REQUEST_LABELS: 'a,b',
    CI_MERGE_REQUEST_APPROVED: 'true',
    CI_MERGE_REQUEST_PROJECT_URL: 'https://forge.example/acme/web',
    CI_MERGE_REQUEST_EVENT_TYPE: 'detached',
  });
  expect(found).not.toHaveProperty('CI_COMMIT_BRANCH');
  expect(found).not.toHaveProperty('CI_MERGE_REQUEST_MILESTONE');
});

test('a job, and one of several', () => {
  const job = { name: 'test', stage: 'test', index: null, total: null, isManual: false, environment: null };
  expect(values(jobVariables(job))).toEqual({
    CI_JOB_NAME: 'test',
    CI_JOB_STAGE: 'test',
    CI_NODE_TOTAL: '1',
    CI_BUILD_NAME: 'test',
    CI_BUILD_STAGE: 'test',
  });
  const environment = { name: 'prod', slug: 'prod', url: null, action: 'start', tier: 'production' };
  expect(values(jobVariables({ ...job, index: 2, total: 3, isManual: true, environment }))).toMatchObject({
    CI_NODE_INDEX: '2',
    CI_NODE_TOTAL: '3',
    CI_JOB_MANUAL: 'true',
    CI_ENVIRONMENT_NAME: 'prod',
    CI_ENVIRONMENT_SLUG: 'prod',
    CI_ENVIRONMENT_TIER: 'production',
  });
});

test('secrets of a running job are masked and not public', () => {
  const run = {
    id: 1,
    token: 'secret-token',
    startedAt: '2021-10-01T12:00:00Z',
    runner: { id: 2, description: 'r', tags: ['a', 'b'] },
    deployToken: { user: 'u', password: 'p' },
  };
  const found = runVariables(server, project, run);
  expect(values(found)).toMatchObject({
    CI_JOB_ID: '1',
    CI_JOB_URL: 'https://forge.example/acme/web/-/jobs/1',
    CI_RUNNER_TAGS: 'a, b',
    CI_REGISTRY_USER: 'gitlab-ci-token',
    CI_REPOSITORY_URL: 'https://gitlab-ci-token:secret-token@forge.example/acme/web.git',
  });
  const secrets = found.filter(({ value }) => value === 'secret-token' || value === 'p');
  expect(secrets.map(({ key }) => key)).toEqual([
    'CI_JOB_TOKEN',
    'CI_BUILD_TOKEN',
    'CI_REGISTRY_PASSWORD',
    'CI_DEPLOY_PASSWORD',
  ]);
  for (const one of secrets) expect(one).toMatchObject({ masked: true, public: false });
  for (const one of found) if (one.value.includes('secret-token')) expect(one.public).toBe(false);
});

test.each([
  ['main', 'main'],
  ['Feature/Login_Page', 'feature-login-page'],
  ['-a-', 'a'],
  [`${'a'.repeat(62)}/b`, 'a'.repeat(62)],
  ['ünï', 'n'],
  ['---', ''],
  ['-'.repeat(50_000), ''],
])('the slug of %s is %s', (name, slug) => {
  expect(slugOf(name)).toBe(slug);
});
