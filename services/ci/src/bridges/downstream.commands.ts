import type { ChildInclude, Trigger } from '@forgelog/ci-config/configuration.ts';
import { ExpansionError } from '@forgelog/ci-config/variables/scope.ts';
import type { FailureReason } from '@forgelog/contracts/ci/jobs/job.fields.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { actingUser } from '@forgelog/directory/acting-user.ts';
import { grantProject } from '@forgelog/directory/authorizer.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import { eq } from '@forgelog/eventing/query.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { SealedTextError } from '@forgelog/service-kit/sealed.ts';
import { UnreadableArchiveError } from '../artifacts/archive-file.ts';
import { isPassing } from '../pipelines/passing-failure.ts';
import { type NewPipeline, PipelineForbidden } from '../pipelines/pipeline-creation.commands.ts';
import { type PipelineRow, pipelines } from '../pipelines/pipelines.projection.ts';
import type { CiPorts } from '../ports.ts';
import { type Bridge, type BridgeVariables, bridgeVariables } from './bridge-variables.query.ts';
import { generatedConfiguration } from './generated-configuration.query.ts';

/** Why a bridge fails. */
export class BridgeFailure extends Error {
  override readonly name = 'BridgeFailure';
  readonly reason: FailureReason;

  constructor(reason: FailureReason, cause?: unknown) {
    super(`a bridge failed: ${reason}`, { cause });
    this.reason = reason;
  }
}

/** Levels of children below a pipeline; as upstream. */
const MOST_CHILD_LEVELS = 2;
/** Pipelines above a downstream pipeline, in all projects: projects that start each other come to an end. */
const MOST_ABOVE = 10;

/** Pipelines of one family: all that come from one pipeline, through bridges and through jobs. */
const MOST_OF_FAMILY = 1000;

type Where = Pick<NewPipeline, 'projectId' | 'ref' | 'source' | 'sha' | 'beforeSha' | 'content'>;

/** Starts the downstream pipelines of bridges: one for each cause, however often it is asked for. */
export function downstreamPipelines(ports: CiPorts) {
  const { directory, pipelineCreation, readStore } = ports;
  const variablesOf = bridgeVariables(ports);

  /** The pipeline of the bridge, the one that started it, and so on. */
  async function lineOf(pipeline: PipelineRow): Promise<PipelineRow[]> {
    const line = [pipeline];
    for (let above = pipeline; above.parentPipelineId !== null && line.length <= MOST_ABOVE; ) {
      const next = await readStore.get(pipelines, above.parentPipelineId);
      if (!next) break;
      line.push(next);
      above = next;
    }
    if (line.length > MOST_ABOVE) throw new BridgeFailure('reached_max_descendant_pipelines_depth');
    return line;
  }

  async function child(
    include: readonly ChildInclude[],
    { pipeline }: Bridge,
    { expand }: BridgeVariables,
  ): Promise<Where> {
    const line = await lineOf(pipeline);
    const root = line.findIndex(({ source }) => source !== 'parent_pipeline');
    if ((root === -1 ? line.length : root) >= MOST_CHILD_LEVELS)
      throw new BridgeFailure('reached_max_descendant_pipelines_depth');
    const { projectId, refKind, ref, sha, beforeSha } = pipeline;
    return {
      ...{ projectId, sha, source: 'parent_pipeline' },
      ref: `refs/${refKind === 'tag' ? 'tags' : 'heads'}/${ref}`,
      ...(beforeSha === null ? {} : { beforeSha }),
      content: (await generated(include, pipeline, expand)) ?? configurationOf(include, expand),
    };
  }

  /** A file that a job made is the whole configuration; null where the repository has the files. */
  async function generated(
    [first, ...others]: readonly ChildInclude[],
    pipeline: PipelineRow,
    expand: BridgeVariables['expand'],
  ): Promise<string | null> {
    if (first?.kind !== 'artifact' || others.length > 0) return null;
    const path = expand(first.path);
    const text = await generatedConfiguration(ports, pipeline, { path, job: first.job });
    if (text === null) throw new BridgeFailure('downstream_pipeline_creation_failed');
    return text;
  }

  async function ofProject(
    { project: path, branch }: Extract<Trigger, { kind: 'project' }>,
    { pipeline }: Bridge,
    user: Principal,
    { expand }: BridgeVariables,
  ): Promise<Where> {
    const project = await directory.projectByPath(expand(path));
    // Whoever may not see it does not learn whether it exists.
    if (!project || !(await grantProject(project, user, directory)))
      throw new BridgeFailure('downstream_bridge_project_not_found');
    const { id: projectId, defaultBranch } = project;
    if (projectId === pipeline.projectId) throw new BridgeFailure('invalid_bridge_trigger');
    const ref = branch === null ? null : expand(branch);
    const line = await lineOf(pipeline);
    const isThere = (above: PipelineRow) =>
      above.projectId === projectId && above.ref === (ref ?? defaultBranch ?? above.ref);
    if (line.some(isThere)) throw new BridgeFailure('invalid_bridge_trigger');
    return { projectId, ref, source: 'pipeline' };
  }

  async function start(bridge: Bridge, causeId: string, metadata: EventMetadata): Promise<PipelineRow> {
    const { job, planned } = bridge;
    const { trigger } = planned;
    if (!trigger) throw new BridgeFailure('invalid_bridge_trigger');
    const user = job.actorId === null ? undefined : await actingUser(directory, job.actorId);
    if (!user) throw new BridgeFailure('user_blocked');
    const ofFamily = eq('rootPipelineId', bridge.pipeline.rootPipelineId);
    const family = await readStore.count(pipelines, { where: ofFamily, atMost: MOST_OF_FAMILY });
    if (family >= MOST_OF_FAMILY) throw new BridgeFailure('reached_max_pipeline_hierarchy_size');
    const variables = await variablesOf(bridge);
    const where =
      trigger.kind === 'child'
        ? await child(trigger.include, bridge, variables)
        : await ofProject(trigger, bridge, user, variables);
    const { projectId, pipelineId, id: jobId } = job;
    const created = await pipelineCreation.create({
      ...{ ...where, user, causeId, metadata, invalid: 'recorded' },
      parent: { projectId, pipelineId, jobId },
      variables: variables.forwarded(),
    });
    const downstream = await readStore.get(pipelines, created.pipelineId);
    // It was deleted at the same time.
    if (!downstream) throw new BridgeFailure('downstream_pipeline_creation_failed');
    return downstream;
  }

  return {
    /** @throws BridgeFailure where a retry would end in the same way */
    start: (bridge: Bridge, causeId: string, metadata: EventMetadata): Promise<PipelineRow> =>
      start(bridge, causeId, metadata).catch((error: unknown) => {
        throw failureOf(error) ?? error;
      }),
  };
}

function failureOf(error: unknown): BridgeFailure | undefined {
  if (error instanceof UnreadableArchiveError)
    return new BridgeFailure('downstream_pipeline_creation_failed', error);
  if (error instanceof SealedTextError) return new BridgeFailure('data_integrity_failure', error);
  if (error instanceof ExpansionError) return new BridgeFailure('invalid_bridge_trigger', error);
  if (error instanceof PipelineForbidden) return new BridgeFailure('insufficient_bridge_permissions', error);
  const isRefusal = error instanceof Rejection && !isPassing(error);
  return isRefusal ? new BridgeFailure('downstream_pipeline_creation_failed', error) : undefined;
}

/** JSON is YAML, too. */
function configurationOf(include: readonly ChildInclude[], expand: (text: string) => string): string {
  const files = include.map((one) => {
    switch (one.kind) {
      case 'local':
        return { local: expand(one.path) };
      case 'template':
        return { template: one.name };
      case 'project': {
        const { project, path: file, ref } = one;
        return { project: expand(project), file: expand(file), ...(ref !== null && { ref: expand(ref) }) };
      }
      case 'artifact':
        // No file of the repository can be merged with one that a job made.
        throw new BridgeFailure('downstream_pipeline_creation_failed');
      default:
        return one satisfies never;
    }
  });
  return JSON.stringify({ include: files });
}
