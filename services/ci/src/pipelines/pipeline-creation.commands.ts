import type { PipelineSource } from '@forgelog/contracts/ci/pipelines/pipeline-statuses.ts';
import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { MergeRequestFacts } from '@forgelog/contracts/tracker/merge-requests/merge-request.operations.ts';
import { grantProject } from '@forgelog/directory/authorizer.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { type EventMetadata, SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { operationEventId } from '@forgelog/eventing/event-id.ts';
import { KeyedQueue } from '@forgelog/eventing/keyed-queue.ts';
import { and, eq } from '@forgelog/eventing/query.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { createProjectNumbers } from '@forgelog/service-kit/project-numbers.ts';
import type { Compilation, CompiledPipeline } from '../configuration/compilation.ts';
import { DEFAULT_CONFIG_PATH, type DescribedRef, ZERO_SHA } from '../configuration/pipeline-facts.ts';
import {
  noRightToRun,
  type PipelineRequest,
  type ProjectConfigurations,
} from '../configuration/project-configuration.ts';
import { storeDefinitions } from './definitions-object.ts';
import { type GivenVariable, givenVariables, variablesOfGiven } from './given-variables.ts';
import { jobFactsOf } from './job-facts.ts';
import { mergeRequestRef, variableFactsOf } from './merge-request-pipeline.ts';
import { type CreatePipeline, pipelineDecider } from './pipeline.decider.ts';
import { type PipelinePlace, pipelineStream } from './pipeline-state.ts';
import { pipelines } from './pipelines.projection.ts';

export interface NewPipeline {
  projectId: number;
  /** With whose rights it is created and runs. */
  user: Principal;
  source: PipelineSource;
  /** A branch or tag, short or full. Null for the default branch. */
  ref: string | null;
  sha?: string;
  beforeSha?: string;
  variables?: readonly GivenVariable[];
  /** The event that causes it: a cause makes one pipeline of a ref, however often it is asked for. */
  causeId?: string;
  parent?: CreatePipeline['parent'];
  /** The merge request that it is for; then `ref` is the source branch. */
  mergeRequest?: MergeRequestFacts;
  /** Open merge requests of the branch, as `group/project!1`. */
  openMergeRequests?: readonly string[];
  /** Replaces the project's configuration. */
  content?: string;
  metadata?: EventMetadata;
  /** Whether a message of the commit that asks for it makes a skipped pipeline. */
  heedsMessage?: boolean;
  isSkipped?: boolean;
  triggerShortToken?: string;
  /** What came with a trigger, as JSON. Projects that restrict variables take it from everybody. */
  triggerPayload?: string;
  /** Why a pipeline that would have jobs fails at once. */
  failure?: string;
  /** `recorded` makes a failed pipeline of an invalid configuration, `refused` an error. */
  invalid: 'recorded' | 'refused';
}

export interface CreatedPipeline extends PipelinePlace {
  pipelineId: number;
}

/** Refuses with the words that clients know, below `base`. */
export class PipelineRefusal extends Rejection<'validation_failed'> {
  constructor(...messages: readonly string[]) {
    super('validation_failed', { fields: { base: messages } });
  }
}

/** Refuses what somebody with more rights may do. */
export class PipelineForbidden extends PipelineRefusal {}

export interface PipelineCreation {
  /** @throws PipelineRefusal if there is no pipeline; Rejection `unavailable`, `too_many_requests` */
  create(pipeline: NewPipeline): Promise<CreatedPipeline>;
}

const givenWith = ({ variables = [], triggerPayload }: NewPipeline): readonly GivenVariable[] =>
  triggerPayload === undefined
    ? variables
    : [...variables, { key: 'TRIGGER_PAYLOAD', value: triggerPayload, type: 'file' }];

const causeOf = ({ causeId, projectId, ref, mergeRequest }: NewPipeline): string =>
  mergeRequest ? `${projectId}!${mergeRequest.iid}` : `${causeId} ${ref}`;

const SKIPS = /\[(ci[ _-]skip|skip[ _-]ci)\]/i;

export function pipelineCreation(
  ports: ServicePorts & { configurations: ProjectConfigurations },
): PipelineCreation {
  const { commands, configurations, directory, ids, objects, readStore, clock } = ports;
  const numbers = createProjectNumbers(readStore, pipelines, 'pipeline');
  const sealed = givenVariables(ports);
  const causes = new KeyedQueue();

  async function permitted(pipeline: NewPipeline) {
    const { projectId, user, source, ref, sha, beforeSha, variables = [], heedsMessage } = pipeline;
    const project = await directory.project(projectId);
    const grant = project && (await grantProject(project, user, directory));
    if (!project || !grant?.can('builds') || grant.level < AccessLevel.developer || grant.project.readOnly)
      throw new PipelineForbidden('Insufficient permissions to create a new pipeline');
    const given = givenWith(pipeline);
    const request: PipelineRequest = {
      ...{ project, principal: user, source, ref, sha: sha ?? null, beforeSha: beforeSha ?? null },
      given: variablesOfGiven(given),
      triggerShortToken: pipeline.triggerShortToken ?? null,
      mergeRequest: pipeline.mergeRequest ? await variableFactsOf(ports, pipeline.mergeRequest, user) : null,
      openMergeRequests: pipeline.openMergeRequests ?? [],
    };
    const found = await configurations.describe(request);
    if ('reason' in found) throw new PipelineRefusal(found.message);
    // It gets no protected variables, whatever the source branch is: whoever may not merge can open one.
    const described: DescribedRef = pipeline.mergeRequest
      ? {
          ...{ ...found, isProtected: false, mayRun: true },
          ...{ kind: 'merge_request', ref: mergeRequestRef(pipeline.mergeRequest.iid) },
        }
      : found;
    if (!described.mayRun) throw new PipelineForbidden(noRightToRun(described.ref));
    // What a child gets, the configuration of its own project gives.
    const isRestricted =
      described.settings.restrictsVariables &&
      grant.level < AccessLevel.maintainer &&
      source !== 'parent_pipeline';
    if (isRestricted && variables.length > 0)
      throw new PipelineForbidden('Insufficient permissions to set pipeline variables');
    const isSkipped = pipeline.isSkipped || (heedsMessage && SKIPS.test(described.commit.message));
    return { request, described, isSkipped };
  }

  async function createdBefore(
    { causeId, mergeRequest, projectId }: NewPipeline,
    { ref, kind, commit }: DescribedRef,
  ) {
    if (causeId === undefined) return undefined;
    // One push may open a merge request as well: two events, and one pipeline of its commit.
    const cause = mergeRequest
      ? and(eq('projectId', projectId), eq('sha', commit.sha))
      : eq('causeId', causeId);
    const where = and(cause, eq('ref', ref), eq('refKind', kind));
    const [found] = await readStore.find(pipelines, { where, limit: 1 });
    return found && { pipelineId: found.id, projectId: found.projectId, iid: found.iid };
  }

  async function append(
    pipeline: NewPipeline,
    described: DescribedRef,
    compiled: { pipeline: CompiledPipeline | null; yamlErrors: string | null; isSkipped?: boolean },
  ): Promise<CreatedPipeline> {
    const { projectId, user, source, causeId, parent = null, metadata = SYSTEM_METADATA } = pipeline;
    const pipelineId = await ids.next('pipeline');
    const { stages = [], jobs = [], definitions } = compiled.pipeline ?? {};
    const owner = { projectId, pipelineId };
    const facts = {
      ...{ pipelineId, projectId, source, parent, yamlErrors: compiled.yamlErrors },
      ref: described.ref,
      refKind: described.kind,
      sha: described.commit.sha,
      beforeSha: pipeline.beforeSha === ZERO_SHA ? null : (pipeline.beforeSha ?? null),
      userId: user.userId,
      isProtected: described.isProtected,
      configPath: described.settings.configPath ?? DEFAULT_CONFIG_PATH,
      stages: [...stages],
      definitions: definitions ? await storeDefinitions(objects, owner, definitions) : null,
      causeId: causeId ?? null,
    };
    const jobIds = await ids.many('job', jobs.length);
    const createJobs = jobs.map((job, index) => ({
      jobId: jobIds[index]!,
      facts: jobFactsOf(job, described.settings),
    }));
    return numbers.withNext(projectId, async (iid) => {
      // After a conflict: another process may have had the same cause.
      const before = await createdBefore(pipeline, described);
      if (before) return before;
      const place = { projectId, iid };
      const command: CreatePipeline & { now: string } = {
        ...{ type: 'CreatePipeline', ...facts, ...place, jobs: createJobs, now: clock().toISOString() },
        isSkipped: compiled.isSkipped ?? false,
        sealedVariables: sealed.seal(place, givenWith(pipeline)),
      };
      await commands.handle(pipelineDecider, pipelineStream(place), command, metadata, {
        mustBeNew: true,
        ...(causeId === undefined
          ? {}
          : { operationId: operationEventId(causeId, `${described.kind} ${described.ref}`, 0) }),
      });
      return { ...place, pipelineId };
    });
  }

  async function create(pipeline: NewPipeline): Promise<CreatedPipeline> {
    const { request, described, isSkipped } = await permitted(pipeline);
    const before = await createdBefore(pipeline, described);
    if (before) return before;
    const compilation = await configurations.compile(request, described, {
      content: pipeline.content,
      plans: true,
      withVariables: true,
    });
    if ('reason' in compilation) throw new PipelineRefusal(compilation.message);
    if (isSkipped) return append(pipeline, described, { pipeline: null, yamlErrors: null, isSkipped });
    if (compilation.hasNoJobs) throw new PipelineRefusal(...compilation.errors);
    if (compilation.pipeline && pipeline.failure !== undefined)
      return append(pipeline, described, { pipeline: null, yamlErrors: pipeline.failure });
    if (compilation.pipeline)
      return append(pipeline, described, { pipeline: compilation.pipeline, yamlErrors: null }).catch(
        (error) => recordRefusal(error, pipeline, described),
      );
    return refuseOrRecord(compilation, pipeline, described);
  }

  /** The decider refuses what is too large for the log. */
  function recordRefusal(error: unknown, pipeline: NewPipeline, described: DescribedRef) {
    const isRefusal = error instanceof Rejection && error.code === 'validation_failed';
    if (!isRefusal || pipeline.invalid === 'refused') throw error;
    const { base = [] } = (error as Rejection<'validation_failed'>).details.fields;
    return append(pipeline, described, { pipeline: null, yamlErrors: base.join('\n') });
  }

  function refuseOrRecord({ errors }: Compilation, pipeline: NewPipeline, described: DescribedRef) {
    if (pipeline.invalid === 'refused') throw new PipelineRefusal(...errors);
    return append(pipeline, described, { pipeline: null, yamlErrors: errors.join('\n') });
  }

  return {
    create: (pipeline) =>
      pipeline.causeId === undefined
        ? create(pipeline)
        : causes.run(causeOf(pipeline), () => create(pipeline)),
  };
}
