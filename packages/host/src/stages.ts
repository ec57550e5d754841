import { withDeadline } from '@forgelog/eventing/deadline.ts';
import type { Logger } from '@forgelog/service-kit/log.ts';

/** A step of a start, and the step of the stop that undoes it. */
export interface Stage {
  name: string;
  start?(): Promise<unknown> | undefined;
  /** Called for a start that failed too, which may have begun anything or nothing. */
  stop?(): Promise<unknown> | undefined;
  /** How long `stop` may take, in milliseconds, where that is not what every stage has. */
  stopMs?: number;
}

export interface StagesOptions {
  stopMs: number;
  log: Logger;
  /** Ends a start between two stages. */
  signal?: AbortSignal | undefined;
}

/**
 * Starts one stage after the other. Stopping is starting in reverse, and so is what follows a start that fails.
 * @throws what the failing stage throws, once all that was started is stopped
 */
export async function startStages(
  stages: readonly Stage[],
  options: StagesOptions,
): Promise<{ stop(): Promise<void> }> {
  const begun: Stage[] = [];
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= stopInReverse(begun, options));
  try {
    for (const stage of stages) {
      options.signal?.throwIfAborted();
      begun.push(stage);
      await stage.start?.();
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { stop };
}

/**
 * A stage that fails to stop, or does not stop in time, is logged and left behind: the stages after it release what
 * the next start needs.
 */
async function stopInReverse(begun: readonly Stage[], { stopMs, log }: StagesOptions): Promise<void> {
  for (const stage of begun.toReversed()) {
    const ms = stage.stopMs ?? stopMs;
    try {
      const stopping = stage.stop?.();
      if (stopping) await withDeadline(stopping, ms, () => new Error(`not stopped within ${ms} ms`));
    } catch (error) {
      log.error({ err: error, stage: stage.name }, 'a stage did not stop');
    }
  }
}
