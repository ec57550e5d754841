import type { Environment, JobDefinition } from '../configuration.ts';
import { NAME_LENGTH } from '../limits.ts';
import type { PlannedJob } from '../pipeline.ts';
import { jobVariables } from '../variables/predefined.ts';
import { ExpansionError, type Layer, type VariableScope } from '../variables/scope.ts';
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
  const environment = job.environment && expandedEnvironment(job.environment, first);
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
      tags: expandedTags(job.tags, scope),
    },
  };
}

/** @throws ExpansionError for a name that is no name once it is expanded */
function expandedEnvironment(environment: Environment, variables: VariableScope): Environment {
  const name = variables.expand(environment.name).trim();
  if (name === '' || name.length > NAME_LENGTH)
    throw new ExpansionError(
      `the environment name ${environment.name} ${name === '' ? 'is empty' : 'is too long'} with its variables expanded`,
    );
  return { ...environment, name };
}

function expandedTags(tags: readonly string[], variables: VariableScope): string[] {
  const expanded = tags.map((tag) => variables.expand(tag, { keepUnknown: true }).trim());
  return [...new Set(expanded)].filter((tag) => tag !== '');
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
