import { type PipelineEvent, pipelineEvents } from '@forgelog/contracts/ci/pipelines/pipeline.events.ts';
import { pipelineLifetime } from '@forgelog/contracts/ci/pipelines/pipeline.lifetime.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { and, desc, eq, oneOf, range } from '@forgelog/eventing/query.ts';
import {
  type DocumentOf,
  defineCollection,
  endsWith,
  type ReadStore,
} from '@forgelog/eventing/read-store.ts';

/** Pipelines with their user and ref, and how they ended. */
export const pipelineResults = defineCollection({
  name: 'pipeline_results',
  key: 'id',
  fields: {
    id: 'integer',
    projectId: 'integer',
    iid: 'integer',
    ref: 'text',
    refKind: 'text',
    sha: 'text',
    /** Null for a pipeline of nobody. */
    actorId: 'integer?',
    /** Whether another pipeline started it, which tells of it. */
    isChild: 'boolean',
    status: 'text',
  },
  indexes: [['projectId', 'ref', 'id']],
  holds: { lifetime: pipelineLifetime },
  ownedBy: [endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId))],
});

export type PipelineResult = DocumentOf<typeof pipelineResults>;

export const pipelineResultsProjection = defineProjection<PipelineEvent>({
  name: 'pipeline-results',
  collections: [pipelineResults],
  handles: pipelineEvents.map(({ type }) => type),
  async project(event, documents) {
    const { pipelineId: id } = event.data;
    switch (event.type) {
      case 'PipelineCreated': {
        const { projectId, iid, ref, refKind, sha, userId, parent } = event.data;
        const row = { id, projectId, iid, ref, refKind, sha, actorId: userId, isChild: parent !== null };
        return documents.put(pipelineResults, { ...row, status: 'created' });
      }
      case 'PipelineStatusChanged': {
        const { status } = event.data.changes;
        const row = status === undefined ? undefined : await documents.get(pipelineResults, id);
        if (row && status) documents.put(pipelineResults, { ...row, status });
        return;
      }
      case 'PipelineDeleted':
        return documents.delete(pipelineResults, id);
      default:
        event satisfies never;
    }
  },
});

/** How the pipeline before it on the same ref ended; undefined for the first one. */
export async function resultBefore(
  readStore: Pick<ReadStore, 'find'>,
  { id, projectId, ref }: PipelineResult,
): Promise<string | undefined> {
  const ended = and(
    ...[eq('projectId', projectId), eq('ref', ref), eq('isChild', false)],
    ...[oneOf('status', ['success', 'failed']), range('id', { lt: id })],
  );
  return (await readStore.find(pipelineResults, { where: ended, sort: [desc('id')], limit: 1 }))[0]?.status;
}
