import { createHash } from 'node:crypto';
import type { Cache } from '@forgelog/ci-config/configuration.ts';
import type { PlannedJob } from '@forgelog/ci-config/pipeline.ts';
import { stepsOf } from '@forgelog/ci-config/steps.ts';
import type { Variable } from '@forgelog/ci-config/variables/variable.ts';
import { FAILURE_REASONS } from '@forgelog/contracts/ci/jobs/job.fields.ts';
import type { JobResponse } from '@forgelog/contracts/ci/runners/job-response.views.ts';
import {
  describeRef,
  readFiles,
} from '@forgelog/contracts/repo/repositories/repository-source.operations.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { dotenvVariables } from '../artifacts/dotenv-variables.query.ts';
import { ZERO_SHA } from '../configuration/pipeline-facts.ts';
import type { JobRow } from '../jobs/jobs.collection.ts';
import type { CiProjectSettings } from '../project-settings/project-settings.projection.ts';
import { archivesOf, dependenciesOf } from './dependencies.query.ts';
import { type HandedOut, variablesOfJob } from './job-variables.query.ts';
import { isElsewhere, neededElsewhere } from './needs-elsewhere.query.ts';
import { formatOfReport, nameOfReport } from './report-formats.ts';
import { Undeliverable } from './undeliverable.ts';

export interface ResponseRequest extends Omit<HandedOut, 'inherited'> {
  settings: CiProjectSettings;
  /** With whose rights the job runs. */
  principal: Principal | null;
}

/** Puts together what an agent needs to execute a job. */
export function jobResponses(ports: ServicePorts) {
  const { operations, readStore } = ports;
  const variablesOf = variablesOfJob(ports);

  async function refspecs(
    { pipeline, project, principal }: ResponseRequest,
    depth: number,
  ): Promise<string[]> {
    const { id, ref, refKind, sha } = pipeline;
    // The commit by its id: its branch may have moved on.
    const commit = `+${sha}:refs/pipelines/${id}`;
    if (depth === 0) return [commit, '+refs/heads/*:refs/remotes/origin/*', '+refs/tags/*:refs/tags/*'];
    const full = refKind === 'tag' ? `refs/tags/${ref}` : `refs/heads/${ref}`;
    const asked = { projectId: project.id, ref: full, sha: null };
    const answer = await operations.call(describeRef, asked, { principal });
    // An agent fails on a ref that is gone.
    if ('refused' in answer) return [commit];
    return [commit, refKind === 'tag' ? `+${full}:${full}` : `+${full}:refs/remotes/origin/${ref}`];
  }

  async function gitInfo(
    request: ResponseRequest,
    variables: readonly Variable[],
  ): Promise<JobResponse['git_info']> {
    const { pipeline, settings } = request;
    const wanted = variables.find(({ key }) => key === 'GIT_DEPTH')?.value;
    const depth = /^\d{1,9}$/.test(wanted ?? '') ? Number(wanted) : settings.gitDepth;
    return {
      repo_url: variables.find(({ key }) => key === 'CI_REPOSITORY_URL')!.value,
      ref: pipeline.ref,
      sha: pipeline.sha,
      before_sha: pipeline.beforeSha ?? ZERO_SHA,
      ref_type: pipeline.refKind === 'tag' ? 'tag' : 'branch',
      refspecs: await refspecs(request, depth),
      depth,
    };
  }

  /** A key by files changes with their contents. */
  async function cacheKey(
    { key }: Cache,
    { pipeline, project, principal }: ResponseRequest,
  ): Promise<string> {
    if (typeof key === 'string') return key;
    const asked = { projectId: project.id, revision: pipeline.sha, paths: [...key.files] };
    const answer = await operations.call(readFiles, asked, { principal });
    const files = 'refused' in answer ? [] : answer.files;
    const found = files.map((file) => (file === null || typeof file === 'string' ? null : file.text));
    const hash = found.every((text) => text === null)
      ? 'default'
      : createHash('sha1').update(JSON.stringify(found)).digest('hex');
    return key.prefix === null ? hash : `${key.prefix}-${hash}`;
  }

  /** @throws Undeliverable */
  async function elsewhere(request: ResponseRequest): Promise<JobRow[]> {
    const { planned, pipeline, principal } = request;
    const needs = planned.needs?.filter(isElsewhere) ?? [];
    if (needs.length === 0 || !principal) return [];
    const variables = await variablesOf({ ...request, inherited: [] });
    const found = await neededElsewhere(ports, needs, { pipeline, principal, variables });
    if (!found)
      throw new Undeliverable(
        'missing_dependency_failure',
        'a job of another pipeline that it needs is missing',
      );
    return found;
  }

  return async (request: ResponseRequest): Promise<JobResponse> => {
    const { job, planned, pipeline, project, runner, token, settings } = request;
    const before = [
      ...(await dependenciesOf(planned, pipeline.id, readStore)),
      ...(await elsewhere(request)),
    ];
    const inherited = await dotenvVariables(
      ports,
      before.map(({ id }) => id),
    );
    const variables = await variablesOf({ ...request, inherited });
    const timeout = Math.min(job.timeoutSeconds, runner.maximumTimeout ?? Number.POSITIVE_INFINITY);
    const dependencies = await archivesOf(before, readStore);
    const cache = [];
    for (const one of planned.cache) {
      const { untracked, policy, paths, when } = one;
      cache.push({ key: await cacheKey(one, request), untracked, policy, paths: [...paths], when });
    }
    const { id, name, stage } = job;
    return {
      id,
      token,
      allow_git_fetch: settings.fetchesGit,
      job_info: { id, name, stage, project_id: project.id, project_name: project.path },
      git_info: await gitInfo(request, variables),
      runner_info: { timeout, runner_session_url: null },
      variables: variables.map(({ key, value, public: isPublic, masked, file }) => ({
        ...{ key, value, public: isPublic, masked, file },
      })),
      steps: stepsOf(planned).map(({ name: of, script, when, allowFailure }) => ({
        ...{ name: of, script: [...script], timeout, when },
        allow_failure: allowFailure,
      })),
      image: planned.image && imageOf(planned.image),
      services: planned.services.map((service) => ({
        ...imageOf(service),
        alias: service.alias,
        command: service.command && [...service.command],
        variables: [...service.variables].map(([key, value]) => ({ key, value })),
      })),
      artifacts: artifactsOf(planned),
      cache,
      credentials: [],
      dependencies: dependencies.map(({ archive, ...other }) => ({
        ...other,
        token,
        artifacts_file: archive,
      })),
      features: { trace_sections: true, failure_reasons: [...FAILURE_REASONS] },
    };
  };
}

const imageOf = ({ name, entrypoint, ports }: NonNullable<PlannedJob['image']>) => ({
  name,
  entrypoint: entrypoint && [...entrypoint],
  ports: ports.map(({ number, protocol, name: of }) => ({ number, protocol, name: of })),
});

function artifactsOf({ artifacts }: PlannedJob): JobResponse['artifacts'] {
  if (!artifacts) return [];
  const {
    name,
    untracked,
    paths,
    exclude,
    when,
    expireInText: expire_in,
    reports,
    coverageFormat,
  } = artifacts;
  const found: JobResponse['artifacts'] = [];
  if (paths.length > 0 || untracked)
    found.push({
      ...{ name, untracked, paths: [...paths], exclude: [...exclude], when, expire_in },
      artifact_type: 'archive',
      artifact_format: 'zip',
    });
  for (const [kind, files] of reports) {
    const type = kind === 'coverage_report' ? (coverageFormat ?? 'cobertura') : kind;
    found.push({
      ...{ name: nameOfReport(type), untracked: false, paths: [...files], exclude: [], expire_in },
      // A report of failed tests is what it is for.
      when: 'always',
      artifact_type: type,
      artifact_format: formatOfReport(type),
    });
  }
  return found;
}
