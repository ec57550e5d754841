import type { PlannedJob } from '@forgelog/ci-config/pipeline.ts';
import { variablesForRunner } from '@forgelog/ci-config/variables/levels.ts';
import { jobVariables, runVariables, variablesOf } from '@forgelog/ci-config/variables/predefined.ts';
import type { Variable } from '@forgelog/ci-config/variables/variable.ts';
import type { DirectoryProject } from '@forgelog/directory/collections.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { variablesForJobs } from '../ci-variables/variables-for-jobs.query.ts';
import type { Definitions } from '../configuration/definitions.ts';
import { projectFacts, serverFacts } from '../configuration/pipeline-facts.ts';
import { environmentSlug } from '../environments/environment-slug.ts';
import type { JobRow } from '../jobs/jobs.collection.ts';
import { givenVariables, variablesOfGiven } from '../pipelines/given-variables.ts';
import type { PipelineRow } from '../pipelines/pipelines.projection.ts';
import type { RunnerRow } from '../runners/runners.projection.ts';

export interface HandedOut {
  job: JobRow;
  planned: PlannedJob;
  definitions: Definitions;
  pipeline: PipelineRow;
  project: DirectoryProject;
  runner: RunnerRow;
  token: string;
  startedAt: string;
  inherited: readonly Variable[];
}

/** All variables of a job, each key once, with the values of the moment in which a runner gets it. */
export function variablesOfJob(
  ports: Pick<ServicePorts, 'readStore' | 'configuration' | 'directory' | 'host'>,
) {
  const configured = variablesForJobs(ports);
  const given = givenVariables(ports);
  const server = serverFacts(JSON.parse(`"${ports.host}"`));

  async function ofUser(userId: number | null): Promise<Variable[]> {
    const user = userId === null ? undefined : await ports.directory.user(userId);
    if (!user) return [];
    return variablesOf({
      GITLAB_USER_ID: user.id,
      GITLAB_USER_EMAIL: user.email,
      GITLAB_USER_LOGIN: user.username,
      GITLAB_USER_NAME: user.name,
    });
  }

  return async (handedOut: HandedOut): Promise<Variable[]> => {
    const { job, planned, definitions, pipeline, project, runner, token, startedAt, inherited } = handedOut;
    const { name, stage, index, total, environment } = planned;
    const levels = await configured({
      projectId: project.id,
      groupIds: project.ancestors ?? [],
      isProtected: pipeline.isProtected,
    });
    const own = jobVariables({
      ...{ name, stage, index, total },
      isManual: planned.when === 'manual',
      environment: environment && {
        name: environment.name,
        slug: environmentSlug(environment.name),
        url: environment.url,
        action: environment.action,
        tier: environment.deploymentTier,
      },
    });
    const { id, description, tags } = runner;
    const run = runVariables(server, projectFacts(project), {
      ...{ id: job.id, token, startedAt, deployToken: null },
      runner: { id, description, tags },
    });
    const ofPipeline = variablesOf({
      CI_PIPELINE_ID: pipeline.id,
      CI_PIPELINE_IID: pipeline.iid,
      CI_PIPELINE_URL: `${server.url}/${project.fullPath}/-/pipelines/${pipeline.id}`,
    });
    // A job's own count more than those of its pipeline.
    const ofPeople = [pipeline, job].flatMap((one) => given.open(one, one.sealedVariables));
    const predefined = [
      ...definitions.predefined,
      ...ofPipeline,
      ...(await ofUser(job.actorId)),
      ...own,
      ...run,
    ];
    return variablesForRunner(
      {
        predefined,
        yaml: planned.variables,
        inherited,
        levels: { ...levels, pipeline: variablesOfGiven(ofPeople) },
      },
      { isProtectedRef: pipeline.isProtected, environment: environment?.name ?? null },
    );
  };
}
