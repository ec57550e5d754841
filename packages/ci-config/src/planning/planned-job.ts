import type { Environment, JobDefinition } from '../configuration.ts';
import type { PlannedJob } from '../pipeline.ts';
import { jobVariables } from '../variables/predefined.ts';
import type { Layer, VariableScope } from '../variables/scope.ts';
import { layerOf, type Scopes } from './context.ts';
import type { JobCopy } from './job-names.ts';

type Decided = 'when' | 'startIn' | 'allowFailure' | 'allowFailureExitCodes' | 'stageIndex' | 'variables';

export interface PlannedParts {
  job: Omit<PlannedJob, Decided>;
  /** Variables as the job's rules see them. */
  scope: VariableScope;
}

/**
 * Expands what the server uses: environment name, resource group and tags. The runner expands everything else.
 * `needs` and `dependencies` are linked later.
 * @throws ExpansionError
 */
export function plannedJob(
  job: JobDefinition,
  copy: JobCopy,
  { scopes, yaml }: { scopes: Scopes; yaml: Layer },
): PlannedParts {
  const own = jobLayer(job, copy, null);
  const first = scopes.scope(yaml, own);
  const environment = job.environment && {
    ...job.environment,
    name: first.expand(job.environment.name).trim(),
  };
  const scope = environment ? scopes.scope(yaml, jobLayer(job, copy, environment), environment.name) : first;
  const {
    place,
    parallel,
    variables,
    inheritVariables,
    rules,
    only,
    except,
    needs,
    when,
    startIn,
    allowFailure,
    allowFailureExitCodes,
    ...contents
  } = job;
  return {
    scope,
    job: {
      ...contents,
      name: copy.name,
      baseName: job.name,
      index: copy.index,
      total: copy.total,
      needs: null,
      environment,
      resourceGroup: job.resourceGroup && (scope.expand(job.resourceGroup) || null),
      tags: [...new Set(job.tags.map((tag) => scope.expand(tag, { keepUnknown: true })))],
    },
  };
}

function jobLayer(
  { stage }: JobDefinition,
  { name, index, total }: JobCopy,
  environment: Environment | null,
): Layer {
  return layerOf(
    jobVariables({
      name,
      stage,
      index,
      total,
      isManual: false,
      environment: environment && {
        name: environment.name,
        slug: null,
        url: environment.url,
        action: environment.action,
        tier: environment.deploymentTier,
      },
    }),
  );
}
