import type { FailureReason } from '@forgelog/contracts/ci/jobs/job.fields.ts';
import { PipelineDeleted } from '@forgelog/contracts/ci/pipelines/pipeline.events.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { inBatches } from '@forgelog/eventing/batches.ts';
import { definePolicy } from '@forgelog/eventing/define-policy.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import { and, type Condition, eq } from '@forgelog/eventing/query.ts';
import { jobs } from '../jobs/jobs.collection.ts';
import { actOn, childrenOf, type PipelineAct } from '../pipelines/pipeline-acts.ts';
import type { PipelinePlace } from '../pipelines/pipeline-state.ts';
import type { CiPorts } from '../ports.ts';

const BATCH = 100;

export function lostDownstreams(ports: Pick<CiPorts, 'readStore' | 'commands' | 'clock'>): Policy[] {
  const { readStore } = ports;

  async function act(place: PipelinePlace, command: PipelineAct, metadata: EventMetadata): Promise<void> {
    await actOn(ports, place, command, metadata).catch((error: unknown) => {
      // It was deleted at the same time.
      if (!(error instanceof Rejection && error.code === 'record_not_found')) throw error;
    });
  }

  async function failBridges(
    where: Condition,
    failureReason: FailureReason,
    metadata: EventMetadata,
  ): Promise<void> {
    const waiting = and(where, eq('kind', 'bridge'), eq('status', 'running'));
    for await (const bridges of inBatches(readStore, jobs, { where: waiting, size: BATCH }))
      for (const bridge of bridges) {
        const drop = { type: 'DropJob', jobId: bridge.id, from: 'running', newJobId: null } as const;
        await act(bridge, { ...drop, failureReason }, metadata);
      }
  }

  return [
    definePolicy({
      name: 'lost-downstream-pipelines',
      handles: [PipelineDeleted, ProjectDeleted],
      actsAs: 'system',
      async react({ type, data }, { metadata }) {
        if (type === 'ProjectDeleted')
          return failBridges(eq('downstreamProjectId', data.projectId), 'project_deleted', metadata);
        const { pipelineId } = data;
        const lost = eq('downstreamPipelineId', pipelineId);
        await failBridges(lost, 'downstream_pipeline_creation_failed', metadata);
        for await (const children of childrenOf(readStore, pipelineId))
          for (const child of children) await act(child, { type: 'DeletePipeline' }, metadata);
      },
    }),
  ];
}
