import { PipelineCreated } from '@forgelog/contracts/ci/pipelines/pipeline.events.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { definePolicy } from '@forgelog/eventing/define-policy.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import { and, asc, eq, not, oneOf, range } from '@forgelog/eventing/query.ts';
import type { CiPorts } from '../ports.ts';
import { projectCiSettings } from '../project-settings/project-settings.projection.ts';
import { actOn } from './pipeline-acts.ts';
import { pipelines } from './pipelines.projection.ts';

const ALIVE = ['created', 'waiting_for_resource', 'preparing', 'pending', 'running', 'scheduled'];
const MOST_CANCELED = 100;

/** A pipeline of a newer commit of a branch cancels the older ones, where the project wants it and their jobs allow it. */
export function redundantPipelines(ports: Pick<CiPorts, 'readStore' | 'commands' | 'clock'>): Policy[] {
  const { readStore } = ports;
  return [
    definePolicy({
      name: 'redundant-pipelines',
      handles: [PipelineCreated],
      actsAs: 'system',
      async react({ data }, { metadata, signal }) {
        const { projectId, pipelineId, ref, refKind, sha, parent } = data;
        if (parent !== null || refKind === 'tag') return;
        if ((await readStore.get(pipelines, pipelineId))?.status === 'skipped') return;
        if (!(await projectCiSettings(readStore, projectId)).cancelsRedundantPipelines) return;
        const older = await readStore.find(pipelines, {
          where: and(
            and(eq('projectId', projectId), eq('ref', ref), eq('refKind', refKind)),
            and(oneOf('status', ALIVE), range('id', { lt: pipelineId }), not(eq('sha', sha))),
            // Children go by their own jobs; what other projects started stays.
            not(eq('source', 'pipeline')),
          ),
          sort: [asc('id')],
          limit: MOST_CANCELED,
        });
        for (const pipeline of older) {
          if (signal.aborted) return;
          await actOn(ports, pipeline, { type: 'CancelRedundantPipeline' }, metadata).catch(
            (error: unknown) => {
              // It was deleted at the same time.
              if (!(error instanceof Rejection && error.code === 'record_not_found')) throw error;
            },
          );
        }
      },
    }),
  ];
}
