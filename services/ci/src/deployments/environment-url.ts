import type { PlannedJob } from '@forgelog/ci-config/pipeline.ts';
import { jobVariables, variablesOf } from '@forgelog/ci-config/variables/predefined.ts';
import { ExpansionError, VariableScope } from '@forgelog/ci-config/variables/scope.ts';
import type { Variable } from '@forgelog/ci-config/variables/variable.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { unavailability } from '@forgelog/service-kit/unavailable.ts';
import { dotenvVariables } from '../artifacts/dotenv-variables.query.ts';
import { environmentSlug } from '../environments/environment-slug.ts';
import { dependenciesOf } from '../job-queue/dependencies.query.ts';
import type { JobRow } from '../jobs/jobs.collection.ts';
import { definitionsOf } from '../pipelines/definitions-object.ts';
import type { PipelineRow } from '../pipelines/pipelines.projection.ts';

type Ports = Pick<ServicePorts, 'objects' | 'log' | 'readStore'>;

const LONGEST = 255;

/**
 * The address of what a job deployed, with its variables. Variables of settings are no part of it, because everybody who
 * sees the environment sees its address. Null for none, for unknown variables and for what is no address.
 */
export async function environmentUrl(
  ports: Ports,
  job: JobRow,
  pipeline: PipelineRow,
): Promise<string | null> {
  const definitions = await definitionsOf(ports, pipeline);
  const planned = definitions?.jobs.get(job.name);
  const { environment } = planned ?? {};
  if (!definitions || !planned || !environment?.url) return null;
  const { name, stage, index, total, variables } = planned;
  const own = jobVariables({
    ...{ name, stage, index, total, isManual: planned.when === 'manual' },
    environment: {
      name: environment.name,
      slug: environmentSlug(environment.name),
      url: null,
      action: environment.action,
      tier: environment.deploymentTier,
    },
  });
  const ids = variablesOf({ CI_PIPELINE_ID: pipeline.id, CI_PIPELINE_IID: pipeline.iid, CI_JOB_ID: job.id });
  const told = await toldByReports(ports, job, planned);
  if (!told) return null;
  const values = [...definitions.predefined, ...ids, ...own, ...variables, ...told];
  const scope = new VariableScope([new Map(values.map(({ key, value }) => [key, value]))], LONGEST);
  try {
    const url = scope.expand(environment.url, { keepUnknown: true });
    const isAddress = /^https?:\/\/[^\s$]+$/.test(url) && url.length <= LONGEST && URL.canParse(url);
    return isAddress ? url : null;
  } catch (error) {
    if (error instanceof ExpansionError) return null;
    throw error;
  }
}

async function toldByReports(ports: Ports, job: JobRow, planned: PlannedJob): Promise<Variable[] | null> {
  const before = await dependenciesOf(planned, job.pipelineId, ports.readStore);
  try {
    return await dotenvVariables(
      ports,
      [...before, job].map(({ id }) => id),
    );
  } catch (error) {
    if (unavailability(error) !== undefined) throw error;
    ports.log.error({ err: error, jobId: job.id }, 'a dotenv report cannot be read');
    return null;
  }
}
