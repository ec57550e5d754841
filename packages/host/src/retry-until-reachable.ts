import { setTimeout as sleep } from 'node:timers/promises';
import { EventStoreUnavailableError } from '@forgelog/eventing/event-store.ts';
import { ProjectionLagError, UnseenAppendError } from '@forgelog/eventing/position-waiters.ts';
import { ReadStoreUnavailableError } from '@forgelog/eventing/read-store.ts';
import type { Logger } from '@forgelog/service-kit/log.ts';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;
const RETRIED = [
  EventStoreUnavailableError,
  ReadStoreUnavailableError,
  ProjectionLagError,
  UnseenAppendError,
];

/**
 * Retries a repeatable step of a start until its dependencies are reachable, since processes start in any order.
 * Exiting instead would leave the process in restart back-off.
 * @throws any other error at once, and the signal's reason when it aborts
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
      if (!RETRIED.some((kind) => error instanceof kind)) throw error;
      log.warn({ reason: (error as Error).message }, 'a dependency cannot be reached yet; retrying');
    }
    await sleep(pause, undefined, { signal });
  }
}
