import { type PipelineEvent, pipelineEvents } from '@forgelog/contracts/ci/pipelines/pipeline.events.ts';
import { pipelineLifetime } from '@forgelog/contracts/ci/pipelines/pipeline.lifetime.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { defineProjection, type Recorded } from '@forgelog/eventing/define-projection.ts';
import { and, desc, eq, not } from '@forgelog/eventing/query.ts';
import {
  type DocumentOf,
  defineCollection,
  endsWith,
  type ReadStore,
} from '@forgelog/eventing/read-store.ts';
import { placeOf } from '@forgelog/service-kit/project-place.ts';

export const pipelines = defineCollection({
  name: 'pipelines',
  key: 'id',
  fields: {
    id: 'integer',
    /** `placeOf` project and number. */
    place: 'integer',
    projectId: 'integer',
    iid: 'integer',
    ref: 'text',
    refKind: 'text',
    /** Whether it is the newest of its branch or tag. */
    isNewest: 'boolean',
    sha: 'text',
    beforeSha: 'text?',
    source: 'text',
    /** With whose rights it runs. */
    actorId: 'integer?',
    isProtected: 'boolean',
    status: 'text',
    configPath: 'text',
    yamlErrors: 'text?',
    hasYamlErrors: 'boolean',
    stages: 'text[]',
    sealedVariables: 'text?',
    definitions: 'text?',
    parentProjectId: 'integer?',
    parentPipelineId: 'integer?',
    parentJobId: 'integer?',
    /** The pipeline that no other one started, above this one in all projects; or itself. */
    rootPipelineId: 'integer',
    causeId: 'text?',
    createdAt: 'text',
    updatedAt: 'text',
    startedAt: 'text?',
    finishedAt: 'text?',
    duration: 'integer?',
    queuedDuration: 'integer?',
    coverage: 'number?',
  },
  indexes: [
    ['place'],
    ['projectId'],
    ['projectId', 'status'],
    ['projectId', 'ref'],
    ['projectId', 'sha'],
    ['projectId', 'updatedAt'],
    ['projectId', 'actorId'],
    ['parentPipelineId'],
    ['rootPipelineId'],
    ['causeId'],
  ],
  holds: { lifetime: pipelineLifetime },
  ownedBy: [endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId))],
});

export type PipelineRow = DocumentOf<typeof pipelines>;

/** A child belongs to the pipeline that started it, and is no pipeline of its ref. */
export const isChild = ({ source }: Pick<PipelineRow, 'source'>): boolean => source === 'parent_pipeline';
export const NO_CHILD = not(eq('source', 'parent_pipeline'));

/** The newest one of a commit, and of a branch or tag if it is given. */
export async function newestPipeline(
  readStore: ReadStore,
  { projectId, sha, ref }: { projectId: number; sha: string; ref?: string | undefined },
): Promise<PipelineRow | undefined> {
  const ofRef = ref === undefined ? [] : [eq('ref', ref)];
  const where = and(eq('projectId', projectId), eq('sha', sha), NO_CHILD, ...ofRef);
  return (await readStore.find(pipelines, { where, sort: [desc('id')], limit: 1 }))[0];
}

export const pipelinesProjection = defineProjection<PipelineEvent>({
  name: 'pipelines',
  collections: [pipelines],
  handles: pipelineEvents.map(({ type }) => type),
  async project(event, documents) {
    switch (event.type) {
      case 'PipelineCreated': {
        const { parent } = event.data;
        const above = parent && (await documents.get(pipelines, parent.pipelineId));
        const root = above?.rootPipelineId ?? parent?.pipelineId ?? event.data.pipelineId;
        if (isChild(event.data)) return documents.put(pipelines, created(event, { root, isNewest: false }));
        const { projectId, ref, refKind } = event.data;
        const [before] = await documents.find(pipelines, {
          where: and(eq('projectId', projectId), eq('ref', ref), eq('refKind', refKind), NO_CHILD),
          sort: [desc('id')],
          limit: 1,
        });
        // Ids of parallel creations may be projected in another order.
        const isNewest = (before?.id ?? 0) < event.data.pipelineId;
        if (before?.isNewest && isNewest) documents.amend(pipelines, before.id, { isNewest: false });
        return documents.put(pipelines, created(event, { root, isNewest }));
      }
      case 'PipelineStatusChanged': {
        const { pipelineId, changes } = event.data;
        if (await documents.get(pipelines, pipelineId))
          documents.amend(pipelines, pipelineId, { ...changes, updatedAt: event.time });
        return;
      }
      case 'PipelineDeleted': {
        const gone = await documents.get(pipelines, event.data.pipelineId);
        documents.delete(pipelines, event.data.pipelineId);
        if (!gone?.isNewest) return;
        const { projectId, ref, refKind } = gone;
        const [next] = await documents.find(pipelines, {
          where: and(eq('projectId', projectId), eq('ref', ref), eq('refKind', refKind), NO_CHILD),
          sort: [desc('id')],
          limit: 1,
        });
        if (next) documents.amend(pipelines, next.id, { isNewest: true });
        return;
      }
      default:
        event satisfies never;
    }
  },
});

function created(
  { data, time }: Recorded<Extract<PipelineEvent, { type: 'PipelineCreated' }>>,
  { root: rootPipelineId, isNewest }: { root: number; isNewest: boolean },
): PipelineRow {
  const { pipelineId, parent, projectId, iid, userId: actorId, ...facts } = data;
  return {
    ...facts,
    id: pipelineId,
    place: placeOf(projectId, iid)!,
    ...{ projectId, iid, actorId, isNewest },
    status: 'created',
    hasYamlErrors: facts.yamlErrors !== null,
    parentProjectId: parent?.projectId ?? null,
    parentPipelineId: parent?.pipelineId ?? null,
    parentJobId: parent?.jobId ?? null,
    rootPipelineId,
    updatedAt: time,
    startedAt: null,
    finishedAt: null,
    duration: null,
    queuedDuration: null,
    coverage: null,
  };
}
