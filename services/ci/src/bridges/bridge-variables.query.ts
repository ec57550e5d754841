import type { PlannedJob } from '@forgelog/ci-config/pipeline.ts';
import { variablesForRunner } from '@forgelog/ci-config/variables/levels.ts';
import { jobVariables, variablesOf } from '@forgelog/ci-config/variables/predefined.ts';
import { ExpansionError, VariableScope } from '@forgelog/ci-config/variables/scope.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { dotenvVariables } from '../artifacts/dotenv-variables.query.ts';
import { variablesForJobs } from '../ci-variables/variables-for-jobs.query.ts';
import type { Definitions } from '../configuration/definitions.ts';
import { dependenciesOf } from '../job-queue/dependencies.query.ts';
import type { JobRow } from '../jobs/jobs.collection.ts';
import { type GivenVariable, givenVariables, variablesOfGiven } from '../pipelines/given-variables.ts';
import type { PipelineRow } from '../pipelines/pipelines.projection.ts';

export interface Bridge {
  job: JobRow;
  pipeline: PipelineRow;
  planned: PlannedJob;
  definitions: Definitions;
}

export interface BridgeVariables {
  /** Keeps what is unknown here: the downstream pipeline may know it. @throws ExpansionError */
  expand(text: string): string;
  /** What `trigger:forward` passes on. @throws ExpansionError */
  forwarded(): GivenVariable[];
}

const LONGEST = 65_536;
/** Characters that are passed on: the event of the downstream pipeline holds them. */
const MOST_FORWARDED = 500_000;

/** No runner takes a bridge, so the server expands what its trigger names. */
export function bridgeVariables(
  ports: Pick<ServicePorts, 'readStore' | 'configuration' | 'directory' | 'objects'>,
) {
  const configured = variablesForJobs(ports);
  const given = givenVariables(ports);

  /** @throws SealedTextError */
  return async ({ job, pipeline, planned, definitions }: Bridge): Promise<BridgeVariables> => {
    const project = await ports.directory.project(job.projectId);
    const levels = await configured({
      projectId: job.projectId,
      groupIds: project?.ancestors ?? [],
      isProtected: pipeline.isProtected,
    });
    const { name, stage, index, total, when, trigger } = planned;
    const own = jobVariables({ name, stage, index, total, isManual: when === 'manual', environment: null });
    const ids = variablesOf({
      CI_PIPELINE_ID: pipeline.id,
      CI_PIPELINE_IID: pipeline.iid,
      CI_JOB_ID: job.id,
    });
    const before = await dependenciesOf(planned, pipeline.id, ports.readStore);
    const ofPipeline = given.open(pipeline, pipeline.sealedVariables);
    const all = variablesForRunner(
      {
        predefined: [...definitions.predefined, ...ids, ...own],
        yaml: planned.variables,
        inherited: await dotenvVariables(
          ports,
          before.map(({ id }) => id),
        ),
        levels: { ...levels, pipeline: variablesOfGiven(ofPipeline) },
      },
      { isProtectedRef: pipeline.isProtected, environment: null },
    );
    const scope = new VariableScope([new Map(all.map(({ key, value }) => [key, value]))], LONGEST);
    const expand = (text: string) => scope.expand(text, { keepUnknown: true });
    return {
      expand,
      forwarded() {
        const { yamlVariables = true, pipelineVariables = false } = trigger?.forward ?? {};
        const passed: GivenVariable[] = [];
        let characters = 0;
        for (const { key, value: written, file } of yamlVariables ? planned.variables : []) {
          const value = expand(written);
          characters += key.length + value.length;
          if (characters > MOST_FORWARDED) throw new ExpansionError('the variables are too long together');
          passed.push({ key, value, type: file ? 'file' : 'env_var' });
        }
        if (pipelineVariables) passed.push(...ofPipeline);
        return [...new Map(passed.map((variable) => [variable.key, variable])).values()];
      },
    };
  };
}
