import { setTimeout as sleep } from 'node:timers/promises';
import { EventStoreUnavailableError } from '@forgelog/eventing/event-store.ts';
import { ProjectionLagError, UnseenAppendError } from '@forgelog/eventing/position-waiters.ts';
import { ReadStoreUnavailableError } from '@forgelog/eventing/read-store.ts';
import type { Logger } from '@forgelog/service-kit/log.ts';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;
const PASSES = [EventStoreUnavailableError, ReadStoreUnavailableError, ProjectionLagError, UnseenAppendError];

/**
 * Repeats a step of a start that is safe to repeat, until what it needs can be reached: the parts of a system start in
 * any order, and one that ended instead would be started again and again, each time later than needed.
 * @throws anything else at once, and the signal's reason when that aborts
 */
export async function retryUntilReachable<T>(
  step: () => Promise<T>,
  { log, signal }: { log: Logger; signal?: AbortSignal | undefined },
): Promise<T> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    signal?.throwIfAborted();
    try {
      return await step();
    } catch (error) {
      if (!PASSES.some((kind) => error instanceof kind)) throw error;
      log.warn({ reason: (error as Error).message }, 'not ready to start yet; tried again');
    }
    await sleep(pause, undefined, { signal });
  }
}
