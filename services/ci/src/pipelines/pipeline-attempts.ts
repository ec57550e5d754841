import { Rejection } from '@forgelog/contracts/errors.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { Reaction } from '@forgelog/eventing/define-policy.ts';
import { isPassing } from './passing-failure.ts';
import type { NewPipeline, PipelineCreation } from './pipeline-creation.commands.ts';

/** A storage that fails longer than this holds up the pipelines of other storages no more. */
const MOST_WAIT_MS = 15 * 60_000;

export type AttemptPorts = Pick<ServicePorts, 'clock' | 'directory' | 'log'> & {
  pipelineCreation: PipelineCreation;
};

/** Creates pipelines that events cause: whatever is wrong with one project must not hold up the others. */
export function pipelineAttempts({ clock, directory, log, pipelineCreation }: AttemptPorts) {
  const failingSince = new Map<string, number>();

  const storageOf = async (projectId: number) => (await directory.project(projectId))?.storage ?? '';

  async function mayWait(projectId: number): Promise<boolean> {
    const storage = await storageOf(projectId);
    const now = clock().getTime();
    const since = failingSince.get(storage) ?? now;
    failingSince.set(storage, since);
    return now - since <= MOST_WAIT_MS;
  }

  /** @throws what passes, so that the policy repeats the reaction */
  return async (
    reaction: Reaction,
    { projectId, ref }: Pick<NewPipeline, 'projectId' | 'ref'>,
    pipeline: () => Promise<NewPipeline>,
  ): Promise<void> => {
    try {
      await pipelineCreation.create(await pipeline());
      failingSince.delete(await storageOf(projectId));
    } catch (error) {
      if (reaction.signal.aborted || (isPassing(error) && (await mayWait(projectId)))) throw error;
      if (error instanceof Rejection && !isPassing(error))
        log.debug({ projectId, ref, reason: error.body }, 'no pipeline for an event');
      else log.error({ err: error, projectId, ref }, 'no pipeline for an event');
    }
  };
}
