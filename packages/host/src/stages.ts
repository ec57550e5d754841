import { withDeadline } from '@forgelog/eventing/deadline.ts';
import type { Logger } from '@forgelog/service-kit/log.ts';

export interface Stage {
  name: string;
  start?(): Promise<unknown> | undefined;
  /** Also called after a failed start, which may have done anything or nothing. */
  stop?(): Promise<unknown> | undefined;
  /** Milliseconds that `stop` may take; by default `stopMs` of the options. */
  stopMs?: number;
}

export interface StagesOptions {
  stopMs: number;
  log: Logger;
  /** Checked between two stages of a start. */
  signal?: AbortSignal | undefined;
}

/**
 * Starts the stages in order; the stop, also after a failed start, runs in reverse.
 * @throws the failing stage's error, after everything that started is stopped
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

/** Logs and skips a stage that fails to stop or times out: the later ones release what the next start needs. */
async function stopInReverse(begun: readonly Stage[], { stopMs, log }: StagesOptions): Promise<void> {
  for (const stage of begun.toReversed()) {
    const ms = stage.stopMs ?? stopMs;
    try {
      const stopping = stage.stop?.();
      if (stopping) await withDeadline(stopping, ms, () => new Error(`not stopped within ${ms} ms`));
    } catch (error) {
      log.error({ err: error, stage: stage.name }, 'stage did not stop');
    }
  }
}
