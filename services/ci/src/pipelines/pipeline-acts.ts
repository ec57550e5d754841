import { Rejection } from '@forgelog/contracts/errors.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { inBatches } from '@forgelog/eventing/batches.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import { and, eq } from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import { retriedWithPipeline } from './job-transitions.ts';
import { type PipelineCommand, pipelineDecider } from './pipeline.decider.ts';
import { type PipelinePlace, pipelineStream } from './pipeline-state.ts';
import { type PipelineRow, pipelines } from './pipelines.projection.ts';

type Bare<C> = C extends unknown ? Omit<C, keyof PipelinePlace | 'now'> : never;
export type PipelineAct = Bare<PipelineCommand>;

type ActPorts = Pick<ServicePorts, 'commands' | 'clock' | 'ids'>;

const place = ({ projectId, iid }: PipelinePlace): PipelinePlace => ({ projectId, iid });

/** Acts on a pipeline, by the clock of this server. */
export const actOn = (
  { commands, clock }: Pick<ActPorts, 'commands' | 'clock'>,
  pipeline: PipelinePlace,
  act: PipelineAct,
  metadata: EventMetadata,
) =>
  commands.handle(
    pipelineDecider,
    pipelineStream(pipeline),
    { ...act, ...place(pipeline), now: clock().toISOString() } as PipelineCommand,
    metadata,
  );

/** Its children belong to a pipeline, and are canceled with it, even if it has ended itself. */
export async function cancelWithChildren(
  ports: ActPorts & Pick<ServicePorts, 'readStore'>,
  pipeline: PipelineRow,
  metadata: EventMetadata,
): Promise<void> {
  await actOn(ports, pipeline, { type: 'CancelPipeline' }, metadata);
  for await (const children of childrenOf(ports.readStore, pipeline.id))
    for (const child of children)
      await cancelWithChildren(ports, child, metadata).catch((error: unknown) => {
        // It was deleted at the same time.
        if (!(error instanceof Rejection && error.code === 'record_not_found')) throw error;
      });
}

export const childrenOf = (readStore: ReadStore, pipelineId: number) =>
  inBatches(readStore, pipelines, {
    where: and(eq('parentPipelineId', pipelineId), eq('source', 'parent_pipeline')),
    size: 100,
  });

/** An append has room for three events of each of these. */
const RETRIED_AT_ONCE = 250;

/** Retries a pipeline of any size, in several steps where it is large. */
export async function retryPipeline(
  ports: ActPorts,
  pipeline: PipelinePlace,
  { userId, metadata }: { userId: number; metadata: EventMetadata },
): Promise<void> {
  const { state } = await ports.commands.load(pipelineDecider, pipelineStream(pipeline));
  let left = state.existence === 'present' ? retriedWithPipeline(state.jobs).length : 0;
  do {
    const newJobIds = await ports.ids.many('job', Math.min(left, RETRIED_AT_ONCE));
    await actOn(ports, pipeline, { type: 'RetryPipeline', newJobIds, userId }, metadata);
    left -= newJobIds.length;
  } while (left > 0);
}
