import { jobVariables, variablesOf } from '@forgelog/ci-config/variables/predefined.ts';
import { ExpansionError, VariableScope } from '@forgelog/ci-config/variables/scope.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { environmentSlug } from '../environments/environment-slug.ts';
import type { JobRow } from '../jobs/jobs.collection.ts';
import { definitionsOf } from '../pipelines/definitions-object.ts';
import type { PipelineRow } from '../pipelines/pipelines.projection.ts';

const LONGEST = 255;

/**
 * The address of what a job deployed, with its variables. Variables of settings are no part of it, because everybody who
 * sees the environment sees its address. Null for none, for unknown variables and for what is no address.
 */
export async function environmentUrl(
  ports: Pick<ServicePorts, 'objects' | 'log'>,
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
  const values = [...definitions.predefined, ...ids, ...own, ...variables];
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
