import type { PlannedNeed } from '@forgelog/ci-config/pipeline.ts';
import { ExpansionError, VariableScope } from '@forgelog/ci-config/variables/scope.ts';
import type { Variable } from '@forgelog/ci-config/variables/variable.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { grantProject } from '@forgelog/directory/authorizer.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, desc, eq } from '@forgelog/eventing/query.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { newestArchive } from '../artifacts/archive.query.ts';
import { type JobRow, jobs } from '../jobs/jobs.collection.ts';
import { requirePipelineReader } from '../pipelines/pipeline.access.ts';
import { type PipelineRow, pipelines } from '../pipelines/pipelines.projection.ts';

type Elsewhere = Extract<PlannedNeed, { kind: 'project' | 'pipeline' }>;

export const isElsewhere = (need: PlannedNeed): need is Elsewhere =>
  need.kind === 'project' || need.kind === 'pipeline';

const LONGEST = 1024;

interface Asking {
  pipeline: PipelineRow;
  /** With whose rights the job runs. */
  principal: Principal;
  variables: readonly Variable[];
}

/** Jobs of other pipelines whose artifacts a job needs; undefined where one is missing, or hidden from its user. */
export async function neededElsewhere(
  { directory, readStore }: Pick<ServicePorts, 'directory' | 'readStore'>,
  needs: readonly Elsewhere[],
  { pipeline, principal, variables }: Asking,
): Promise<JobRow[] | undefined> {
  const scope = new VariableScope([new Map(variables.map(({ key, value }) => [key, value]))], LONGEST);
  const expand = (text: string) => scope.expand(text, { keepUnknown: true });

  async function ofProject({ project: path, ref, job }: Extract<Elsewhere, { kind: 'project' }>) {
    const project = await directory.projectByPath(expand(path));
    const grant = project && (await grantProject(project, principal, directory));
    if (!grant?.can('builds')) return undefined;
    await requirePipelineReader(readStore, grant);
    const wanted = { projectId: grant.project.id, ref: expand(ref), job: expand(job) };
    return readStore.get(jobs, (await newestArchive(readStore, wanted)).jobId);
  }

  async function ofPipeline({ pipeline: id, job: name }: Extract<Elsewhere, { kind: 'pipeline' }>) {
    const found = await readStore.get(pipelines, Number(expand(id)));
    const { projectId, rootPipelineId } = pipeline;
    if (found?.projectId !== projectId || found.rootPipelineId !== rootPipelineId) return undefined;
    const where = and(eq('pipelineId', found.id), eq('name', expand(name)), eq('isRetried', false));
    return (await readStore.find(jobs, { where, sort: [desc('id')], limit: 1 }))[0];
  }

  const found: JobRow[] = [];
  for (const need of needs) {
    if (!need.artifacts) continue;
    const job = await (need.kind === 'project' ? ofProject(need) : ofPipeline(need)).catch(absent);
    if (job?.status !== 'success') return undefined;
    found.push(job);
  }
  return found;
}

function absent(error: unknown): undefined {
  if (error instanceof ExpansionError || (error instanceof Rejection && error.status < 500)) return undefined;
  throw error;
}
